import {
  ACTIVE,
  HEALTH_CHECKS,
  LEFT_PAUSED,
  suspendCommand,
} from '../../safety/checks/health/machine-health-checks.ts';
import type { Condition, ConditionObject } from '../../safety/condition.ts';
import { listInWords } from '../../text/words.ts';
import { rebootsPools, type StepDraft, type StepHop } from './step.ts';

/** Health checks stay suspended from the first reboot to the last one. */
export function suspendSteps(hops: readonly StepHop[], rollouts: readonly StepDraft[]): StepDraft[] {
  const [first] = hops;
  const found = (first?.conditions ?? []).filter(({ type }) => type === HEALTH_CHECKS);
  return [
    ...found
      .filter(({ reason }) => reason === ACTIVE)
      .flatMap((condition): StepDraft[] => [
        {
          ...step(condition, 'Pause health checks, which can replace nodes that reboot', true),
          ...beforeReboots(hops, rollouts),
          kind: 'suspend',
          hop: 0,
        },
        {
          ...step(condition, 'Resume health checks', false),
          phase: 'resume',
          kind: 'resume',
          hop: null,
        },
      ]),
    ...found
      .filter(({ reason }) => reason === LEFT_PAUSED)
      .map((condition): StepDraft => ({
        ...step(
          condition,
          'Resume health checks that were paused before the update, if their owner agrees',
          false,
        ),
        phase: 'resume',
        kind: 'resume',
        hop: null,
      })),
  ];
}

/** Before the first hop, if nodes reboot there: a pool is unpaused or rolls out, or a step changes all pools. */
function beforeReboots(
  hops: readonly StepHop[],
  rollouts: readonly StepDraft[],
): Pick<StepDraft, 'phase' | 'repair'> {
  if (rollouts.some(({ phase }) => phase === 'unblock')) return { phase: 'protect' };
  const isReboot = (condition: Condition) => rebootsPools(condition) || condition.reason === 'PoolUpdating';
  const isFirst =
    rollouts.some(({ phase, hop }) => phase === 'rollout' && hop === 0) ||
    hops.some(({ conditions }) => conditions.some(isReboot));
  return isFirst ? { phase: 'repair', repair: 'suspension' } : { phase: 'suspend' };
}

function step(
  condition: Condition,
  text: string,
  isSuspended: boolean,
): Pick<StepDraft, 'text' | 'commands' | 'objects' | 'resolves' | 'blocking'> {
  const objects: readonly ConditionObject[] = condition.objects ?? [];
  return {
    text: `${text}: ${listInWords(objects.map(({ name }) => name))}`,
    commands: objects.map((object) => suspendCommand(object, isSuspended)),
    objects,
    resolves: [condition],
    blocking: false,
  };
}
