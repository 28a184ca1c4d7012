import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { PathResult } from '@cairn/shared/path/find-path';
import { operatorsToMirror } from '@cairn/shared/plan/mirror-operators';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import type { PlanAnswer } from '../../../../../functions/console/data/responses.ts';
import { pathView, wholeRisk } from '../../../../../functions/paths/view.ts';
import { reportOn } from '../../../../helpers/plan/reports.ts';

export const SYNCED_AT = '2026-06-01T11:50:00.000Z';

/** The plan of a cluster as it comes over the wire. */
export function served(
  facts: ClusterFacts,
  answer: PathResult,
  options: Partial<SafetyOptions> = {},
): PlanAnswer {
  const report = reportOn(facts, answer, options);
  const path = pathView(answer, 'amd64', { syncedAt: SYNCED_AT, stale: false, etag: '' }, wholeRisk);
  const versions = answer.found ? answer.upgrade.path.map(({ version }) => version) : [];
  const mirrorOperators = operatorsToMirror({ facts, path: versions, hops: report.hops });
  return JSON.parse(JSON.stringify({ ...report, path, mirrorOperators })) as PlanAnswer;
}
