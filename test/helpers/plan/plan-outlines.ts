import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { Hop as PathHop } from '@cairn/shared/path/solver/solve';
import { simulatePools, workerRollouts } from '@cairn/shared/plan/pools';
import { runSheet, type RunSheetQuestion } from '@cairn/shared/plan/run-sheet/run-sheet';
import type { PlanStep } from '@cairn/shared/plan/run-sheet/step';
import type { RiskSources } from '@cairn/shared/safety/evidence/risks';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { missingInput } from '@cairn/shared/safety/missing-input';
import { evaluate, OPTIONS } from '../cluster/evaluations.ts';

interface More extends RiskSources {
  readonly options?: Partial<SafetyOptions>;
  readonly updates?: readonly (PathHop | null)[];
  readonly channelPlan?: RunSheetQuestion['channelPlan'];
  readonly updateService?: RunSheetQuestion['updateService'];
}

/** Plans along recommended updates, unless `updates` overrides them. */
export function stepsOf(facts: ClusterFacts, path: readonly string[], more: More = {}): PlanStep[] {
  const options = { ...OPTIONS, ...more.options };
  const { updates, clusterRisks, acceptedRisks } = more;
  const hops = evaluate(facts, path, options, {
    ...(updates && { updates }),
    ...(clusterRisks && { clusterRisks }),
    ...(acceptedRisks && { acceptedRisks }),
  });
  const pools = simulatePools({ ...facts, hops: hops.map(({ hop }) => hop), ...options });
  return runSheet({
    facts,
    hops,
    pools,
    rollouts: workerRollouts(pools, facts.pools),
    channelPlan: more.channelPlan ?? [],
    payloads: new Map(path.map((version) => [version, pullSpecOf(version)])),
    hopMinutes: hops.map(() => 60),
    missing: missingInput(
      facts,
      hops.map(({ hop }) => hop),
    ),
    ...(more.updateService && { updateService: more.updateService }),
  });
}

export function pullSpecOf(version: string): string {
  return `quay.io/openshift-release-dev/ocp-release@sha256:${version.replaceAll('.', '').padEnd(64, '0')}`;
}

/** The check of free disk space, which documents do not show. */
export function isDiskCheck(step: PlanStep): boolean {
  return step.kind === 'check' && step.text.includes('space left');
}

/** Format: `update 0`, or with its subject `pause 0 infra`. Omits the disk check, which every minor update has. */
export function outline(steps: readonly PlanStep[]): string[] {
  return steps
    .filter((step) => !isDiskCheck(step))
    .map(({ kind, hop, text }) => {
      const [, about] = /\b(?:pool|acknowledge|uses|clients of|remove|channel) ([^\s,:;]+)/i.exec(text) ?? [];
      return [kind, hop ?? 'end', about].filter((part) => part !== undefined).join(' ');
    });
}

/** Throws unless there is exactly one. */
export function stepOf(steps: readonly PlanStep[], kind: PlanStep['kind']): PlanStep {
  const found = steps.filter((step) => step.kind === kind);
  if (found.length !== 1) throw new Error(`${found.length} steps of ${kind}`);
  return found[0]!;
}

/** The step that starts the update of its hop; changes of the channel have the same kind. */
export function isUpdate(step: PlanStep): boolean {
  return step.kind === 'update' && commandsOf(step).some((command) => / --to|"release"/.test(command));
}

export function commandsOf({ command, commands }: PlanStep): readonly string[] {
  return commands ?? (command === undefined ? [] : [command]);
}
