import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { Hop as PathHop } from '@cairn/shared/path/solver/solve';
import type { PlanStep } from '@cairn/shared/plan/health-steps';
import { simulatePools } from '@cairn/shared/plan/pools';
import { planSteps, type StepQuestion } from '@cairn/shared/plan/steps';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { evaluate, OPTIONS } from '../cluster/evaluations.ts';

interface More {
  readonly options?: Partial<SafetyOptions>;
  readonly updates?: readonly (PathHop | null)[];
  readonly channelPlan?: StepQuestion['channelPlan'];
  readonly channel?: string | null;
  readonly offeredChannels?: readonly string[];
}

/** Plans along recommended updates, unless `updates` overrides them. */
export function stepsOf(facts: ClusterFacts, path: readonly string[], more: More = {}): PlanStep[] {
  const options = { ...OPTIONS, ...more.options };
  const hops = evaluate(facts, path, options, more.updates ? { updates: more.updates } : {});
  return planSteps({
    hops,
    pools: simulatePools({ ...facts, hops: hops.map(({ hop }) => hop), ...options }),
    channelPlan: more.channelPlan ?? [],
    channel: more.channel ?? null,
    offeredChannels: more.offeredChannels ?? [],
  });
}

/** Format: `update 0`, or with its subject `pause 0 infra`. */
export function outline(steps: readonly PlanStep[]): string[] {
  return steps.map(({ kind, hop, text }) => {
    const [, about] = /\b(?:pool|Acknowledge|uses|clients of|remove|channel) ([^\s,:]+)/.exec(text) ?? [];
    return [kind, hop ?? 'end', about].filter((part) => part !== undefined).join(' ');
  });
}

/** Throws unless there is exactly one. */
export function stepOf(steps: readonly PlanStep[], kind: PlanStep['kind']): PlanStep {
  const found = steps.filter((step) => step.kind === kind);
  if (found.length !== 1) throw new Error(`${found.length} steps of ${kind}`);
  return found[0]!;
}
