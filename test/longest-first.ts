import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** In the order in which they start. A file that takes half a minute and starts last keeps one core waiting for it. */
const LONG = [
  'system/local/start-kill',
  'campaign/fault/worlds',
  'system/deployed/recorded-upstream',
  'campaign/fault/prune/kill',
  'system/deployed/access',
  'system/deployed/rights-suffice',
  'campaign/fuzz/fuzz',
  'unit/shared/plan/plan.property',
  'unit/functions/clusters/store',
  'system/local/start',
  'system/browser/equal-answers',
  'system/browser/product',
  'system/browser/sign-in',
  'system/browser/address',
  'system/browser/no-path',
  'unit/functions/sync/job-hostile',
  'unit/functions/sync/recorded-history',
  'system/local/bucket',
  'unit/functions/prune-runs/job',
  'unit/shared/path/real-paths',
  'unit/shared/graph/real-graphs',
  'unit/functions/sync/job',
  'unit/shared/path/solver/solve.property',
  'system/local/bucket-crash',
  'unit/functions/uploads/endpoints',
  'unit/shared/path/real-upgrades',
].map((name) => `/test/${name}.test.ts`);

/** A fresh clone knows no durations from former runs, by which vitest would sort. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONG.findIndex((name) => moduleId.endsWith(name));
      return place === -1 ? LONG.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
