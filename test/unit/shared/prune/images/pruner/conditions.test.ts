import {
  type FinishedRunFacts,
  type PrunerCondition,
  prunerConditions,
  type PrunerFacts,
} from '@cairn/shared/prune/images/pruner/conditions';
import type { PrunerConditionType } from '@cairn/shared/prune/images/values';
import { describe, expect, it } from 'vitest';

const at = (time: string) => `2026-11-16T${time}.000Z`;
const CREATED = at('08:00:00');
const MADE = at('08:00:01');
const NOW = Date.parse(at('12:00:00'));

const fresh: PrunerFacts = {
  spec: {
    schedule: '0 0 * * *',
    timeZone: 'UTC',
    suspend: false,
    dryRun: false,
    managementState: 'Managed',
  },
  generation: 1,
  createdAt: CREATED,
  changedAt: CREATED,
  schedule: { inForce: null, error: null },
  lastRun: null,
  activeRun: null,
  consecutiveFailures: 0,
};
const scheduled: PrunerFacts = {
  ...fresh,
  schedule: { inForce: { generation: 1, since: MADE }, error: null },
};
const withSpec = (spec: Partial<PrunerFacts['spec']>): PrunerFacts => ({
  ...scheduled,
  spec: { ...scheduled.spec, ...spec },
});
const finished = (run: Partial<FinishedRunFacts> = {}): FinishedRunFacts => ({
  id: 'r1',
  trigger: 'schedule',
  dryRun: false,
  startedAt: at('10:00:00'),
  finishedAt: at('10:05:00'),
  outcome: 'Succeeded',
  reason: 'Succeeded',
  message: 'done',
  ...run,
});
const broken = finished({ outcome: 'Failed', reason: 'NoRoots', message: 'no root was found' });
const withError = (since: string, facts: PrunerFacts = scheduled): PrunerFacts => ({
  ...facts,
  schedule: { ...facts.schedule, error: { message: 'AccessDenied: no', since } },
});

function one(type: PrunerConditionType, facts: PrunerFacts, former: readonly PrunerCondition[] = []) {
  const { status, reason, message, lastTransitionTime } = prunerConditions(facts, former, NOW).find(
    (condition) => condition.type === type,
  )!;
  return [status, reason, message, lastTransitionTime];
}

describe('prunerConditions', () => {
  it('are always the same five', () => {
    expect(prunerConditions(fresh, [], NOW).map(({ type }) => type)).toEqual([
      'Available',
      'Scheduled',
      'Failed',
      'Degraded',
      'Progressing',
    ]);
  });

  it.each<[string, PrunerConditionType, PrunerFacts, readonly string[]]>([
    [
      'no schedule was tried yet',
      'Available',
      fresh,
      ['Unknown', 'Pending', 'The schedule of the image pruner has not been made yet.', CREATED],
    ],
    [
      'it is made',
      'Available',
      scheduled,
      ['True', 'Ready', 'Periodic image pruner has been created.', MADE],
    ],
    [
      'it could not be made',
      'Available',
      withError(at('08:00:02'), fresh),
      [
        'False',
        'Error',
        'The schedule of the image pruner could not be made: AccessDenied: no',
        at('08:00:02'),
      ],
    ],
    [
      'it is there, but could not be changed',
      'Available',
      withError(at('09:00:00')),
      ['True', 'Ready', 'Periodic image pruner has been created.', MADE],
    ],
    [
      'it deletes nothing',
      'Available',
      withSpec({ dryRun: true }),
      [
        'True',
        'Ready',
        'Periodic image pruner has been created. Dry run: it reports what would go and deletes nothing until dryRun is false.',
        MADE,
      ],
    ],
    [
      'the registry is not managed',
      'Available',
      withSpec({ managementState: 'Removed', dryRun: true }),
      [
        'True',
        'Ready',
        'Periodic image pruner has been created. The registry is Removed: nothing is deleted from its storage, reports hold oc commands for what the cluster keeps.',
        MADE,
      ],
    ],
    [
      'no schedule was tried yet',
      'Scheduled',
      fresh,
      ['Unknown', 'Pending', 'The schedule has not been brought in line with the spec yet.', CREATED],
    ],
    [
      'it is scheduled',
      'Scheduled',
      scheduled,
      ['True', 'Scheduled', 'Image pruner job has been scheduled: 0 0 * * * in UTC.', MADE],
    ],
    [
      'it is suspended',
      'Scheduled',
      withSpec({ suspend: true }),
      ['False', 'Suspended', 'The image pruner has been suspended.', MADE],
    ],
    [
      'a change is not in force yet, so nobody knows whether it still fires',
      'Scheduled',
      { ...withSpec({ suspend: true }), generation: 2, changedAt: at('09:00:00') },
      ['Unknown', 'Pending', 'The schedule has not been brought in line with the spec yet.', at('09:00:00')],
    ],
    [
      'a change could not be brought in force, even to suspend it',
      'Scheduled',
      withError(at('09:00:00'), withSpec({ suspend: true })),
      [
        'False',
        'Error',
        'The image pruner could not be scheduled: AccessDenied: no. The former schedule stays in force.',
        at('09:00:00'),
      ],
    ],
    [
      'no schedule could be made',
      'Scheduled',
      withError(at('08:00:02'), fresh),
      ['False', 'Error', 'The image pruner could not be scheduled: AccessDenied: no.', at('08:00:02')],
    ],
    [
      'it never ran',
      'Failed',
      scheduled,
      ['Unknown', 'NeverRun', 'No image pruning job has finished yet.', CREATED],
    ],
    [
      'the last run succeeded',
      'Failed',
      { ...scheduled, lastRun: finished() },
      ['False', 'Succeeded', 'Most recent image pruning job succeeded.', at('10:05:00')],
    ],
    [
      'the last run was a dry one',
      'Failed',
      { ...scheduled, lastRun: finished({ dryRun: true }) },
      [
        'False',
        'Succeeded',
        'Most recent image pruning job succeeded. It was a dry run, nothing was deleted.',
        at('10:05:00'),
      ],
    ],
    [
      'the last run failed',
      'Failed',
      { ...scheduled, lastRun: broken, consecutiveFailures: 1 },
      ['True', 'NoRoots', 'no root was found', at('10:05:00')],
    ],
    ['nothing is wrong', 'Degraded', scheduled, ['False', 'AsExpected', '', MADE]],
    [
      'one run failed',
      'Degraded',
      { ...scheduled, lastRun: broken, consecutiveFailures: 1 },
      ['False', 'AsExpected', '', at('10:05:00')],
    ],
    [
      'two runs failed in a row',
      'Degraded',
      { ...scheduled, lastRun: broken, consecutiveFailures: 2 },
      ['True', 'JobFailed', '2 runs failed in a row, the last one: no root was found', at('10:05:00')],
    ],
    [
      'an error is younger than two minutes',
      'Degraded',
      withError(at('11:58:01')),
      ['False', 'AsExpected', '', MADE],
    ],
    [
      'an error is two minutes old',
      'Degraded',
      withError(at('11:58:00')),
      [
        'True',
        'SyncError',
        'The schedule cannot be brought in line with the spec: AccessDenied: no',
        at('12:00:00'),
      ],
    ],
    ['nothing runs', 'Progressing', scheduled, ['False', 'Idle', 'No run is under way.', CREATED]],
    [
      'a run is under way',
      'Progressing',
      {
        ...scheduled,
        lastRun: finished(),
        activeRun: { id: 'r2', trigger: 'manual', dryRun: true, startedAt: at('11:00:00') },
      },
      ['True', 'Running', 'The run r2 is under way. It is a dry run.', at('11:00:00')],
    ],
    [
      'a run is over',
      'Progressing',
      { ...scheduled, lastRun: finished() },
      ['False', 'Idle', 'No run is under way.', at('10:05:00')],
    ],
  ])('%s: %s', (_what, type, facts, expected) => {
    expect(one(type, facts)).toEqual(expected);
  });

  it('show when all pruners are stopped, since then, also of a run that pauses', () => {
    const stopped = { reason: 'images are missing', since: at('10:00:00') };
    const activeRun = { id: 'r2', trigger: 'schedule', dryRun: false, startedAt: at('09:00:00') } as const;
    const before = prunerConditions({ ...scheduled, activeRun }, [], NOW);
    const now = prunerConditions({ ...scheduled, activeRun, stopped }, before, NOW);
    expect(now.filter((condition, index) => condition.status !== before[index]!.status)).toEqual([
      {
        type: 'Scheduled',
        status: 'False',
        lastTransitionTime: stopped.since,
        reason: 'Stopped',
        message: 'All image pruners are stopped: images are missing',
      },
      {
        type: 'Progressing',
        status: 'False',
        lastTransitionTime: stopped.since,
        reason: 'Stopped',
        message: 'The run r2 pauses until image pruners work again.',
      },
    ]);
    expect(prunerConditions({ ...scheduled, activeRun, stopped: null }, before, NOW)).toEqual(before);
  });

  it('keep their time while their status stays, whatever their reason and message', () => {
    const before = prunerConditions(withError(at('09:00:00')), [], NOW);
    const suspended = {
      ...withSpec({ suspend: true }),
      schedule: { inForce: { generation: 1, since: at('11:00:00') }, error: null },
    };
    expect(one('Scheduled', suspended, before)).toEqual([
      'False',
      'Suspended',
      'The image pruner has been suspended.',
      at('09:00:00'),
    ]);
    const lifted = { ...suspended, spec: scheduled.spec };
    expect(one('Scheduled', lifted, before).at(-1)).toBe(at('11:00:00'));
  });

  it('are the same at any time', () => {
    const facts = withError(at('09:00:00'));
    expect(prunerConditions(facts, [], NOW + 3_600_000)).toEqual(prunerConditions(facts, [], NOW));
  });
});
