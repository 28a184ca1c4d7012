import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { UpgradePath } from '@cairn/shared/path/solver/solve';
import type { PlanAnswer } from '../data/responses.ts';
import type { Frontier } from '../lanes/model.ts';
import type { UrlState } from '../state/url-state.ts';
import type { NoPathModel } from './no-path-model.ts';
import type { FoundWay, PlanModel } from './plan-model.ts';

/** What there is to show for a link. */
export type Solved = { readonly graph: PreparedGraph } & (
  | { readonly kind: 'start' }
  | {
      readonly kind: 'ways';
      /** The best first. */
      readonly ways: readonly UpgradePath[];
      readonly found: Omit<FoundWay, 'upgrade'> & { readonly sourceWithdrawn: boolean };
    }
  | { readonly kind: 'cluster'; readonly model: PlanModel; readonly answer: PlanAnswer }
  | { readonly kind: 'none'; readonly noPath: NoPathModel; readonly frontier: Frontier | null }
);

/** What of a link `solve` looks at; the rest changes how it is shown. */
export function solveKey(state: UrlState): string {
  const { from, to, channel, arch, risks, cluster, pause } = state;
  return JSON.stringify([from, to, channel, arch, risks, cluster, cluster ? pause : null]);
}
