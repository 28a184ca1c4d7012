import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** In the order in which they start. A file that takes half a minute and starts last keeps one core waiting for it. */
const LONG = [
  'infra/local/start-kill',
  'fault/worlds',
  'functions/recorded-upstream',
  'fault/prune/kill',
  'access/access',
  'infra/aws/rights-suffice',
  'fuzz/fuzz',
  'property/upgrade-report',
  'functions/store/clusters',
  'infra/local/start',
  'browser/equal-answers',
  'browser/product',
  'browser/sign-in',
  'browser/address',
  'browser/no-path',
  'functions/jobs/sync-hostile',
  'functions/jobs/recorded-history',
  'infra/local/bucket',
  'functions/jobs/prune-images',
  'shared/path/real-paths',
  'shared/graph/real-graphs',
  'functions/jobs/sync',
  'property/path',
  'infra/local/bucket-crash',
  'functions/api/uploads',
  'shared/path/real-upgrades',
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
