import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { percentOf } from '@cairn/shared/update-status/operators';
import { baselineOf, remainingSeconds, timeShare } from '@cairn/shared/update-status/remaining';
import { clockText, roundedSeconds } from '@cairn/shared/update-status/times';
import { describe, expect, it } from 'vitest';
import { aCondition } from '../../../helpers/cluster/clusters.ts';
import {
  ago,
  aPlatformOperator,
  aRunningUpdate,
  AT,
  aVersion,
  BEGIN,
  entry,
  FROM,
  operators,
  outdatedNode,
  statusFrom,
  TO,
  updatedNode,
} from '../../../helpers/update-status/statuses.ts';

const controlPlane = (changes: Partial<ClusterFacts>, at = AT) =>
  statusFrom(aRunningUpdate(changes), at).controlPlane!;
const progressing = (status: string, since = ago(60), reason = '', message = '') =>
  aCondition('Progressing', status, reason, message, since);

describe('numbers and texts', () => {
  it.each([
    [0.05, 0.091095],
    [0.2, 0.342026],
    [0.249, 0.386709],
    [0.25, 0.382183],
    [0.5, 0.389515],
    [0.75, 0.419356],
    [0.899, 0.461477],
    [0.9, 0.478541],
    [0.95, 0.688881],
    [32 / 33, 0.697644],
    [0.99, 0.832055],
  ])('a share of %d operators takes a share of %d of the time', (x, share) => {
    expect(timeShare(x)).toBeCloseTo(share, 6);
  });

  it.each([
    [3600, 1800, 1800, 0, 2160],
    [3600, 1800, 1860, 0, 2100],
    [3600, 1800, 1800, 0.2, 4140],
    [3600, 1800, 2100, 0.2, 3780],
    [3600, 1800, 1800, 0.75, 3000],
    [3600, 1200, 1200, 0.99, 290],
    [4800, 240, 600, 0.05, 5040],
    [3600, 0, 3660, 0, -50],
    [3600, 0, 4321, 0, -600],
    [3600, 0, 4322, 0, -601],
    // Below 0.0119 the share is negative.
    [3600, 1800, 1800, 0.01, 2160],
    // No pace is known from five minutes.
    [4800, 300, 600, 0.05, 5040],
    [4800, 301, 600, 0.05, 3240],
  ])(
    'baseline %d, last progress %d, elapsed %d, share %d: %d remain',
    (baseline, toLast, elapsed, x, seconds) => {
      expect(remainingSeconds({ baseline, toLast, elapsed, x }).seconds).toBe(seconds);
    },
  );

  it.each([
    [0, 'now'],
    [0.9, 'now'],
    [6, '6s'],
    [174, '2m54s'],
    [600, '10m'],
    [3600, '1h'],
    [3617, '1h0m17s'],
    [7140, '1h59m'],
    [86_934.985, '24h8m54s'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(clockText(seconds)).toBe(text);
  });

  it.each([
    [599.5, 600],
    [600, 600],
    [600.4, 600],
    [629, 600],
    [630, 660],
    [89.5, 90],
  ])('%d seconds are rounded to %d', (seconds, rounded) => {
    expect(roundedSeconds(seconds)).toBe(rounded);
  });

  it.each([
    [1, 8, 12],
    [3, 8, 38],
    [5, 8, 62],
    [1, 3, 33],
    [2, 3, 67],
    [0, 3, 0],
    [3, 3, 100],
    [0, 0, null],
  ])('%d of %d are %j percent', (part, total, percent) => {
    expect(percentOf(part, total)).toBe(percent);
  });

  it('takes the baseline from the newest completed update between this one and the installation', () => {
    const now = entry('Partial', TO, BEGIN, null);
    const install = entry('Completed', '4.12.0', ago(900_000), ago(800_000));
    const took = (seconds: number) => entry('Completed', FROM, ago(90_000), ago(90_000 - seconds));
    expect(baselineOf([])).toBe(3600);
    expect(baselineOf([now])).toBe(3600);
    expect(baselineOf([now, took(4000)])).toBe(3600);
    expect(baselineOf([now, took(4000), install])).toBe(4000);
    const partial = entry('Partial', '4.13.9', ago(99), ago(50));
    const untimed = entry('Completed', '4.13.8', null, ago(50));
    expect(baselineOf([now, partial, untimed, took(5000), took(1), install])).toBe(5000);
    expect(baselineOf([now, partial, install])).toBe(3600);
  });
});

describe('operators', () => {
  it('count only with an annotation of the release', () => {
    const added = { ...aPlatformOperator('added', TO), platform: false };
    const { completion, health } = controlPlane({ clusterOperators: [added, ...operators(1, 1)] });
    expect(completion).toEqual({
      percent: 50,
      updated: 1,
      updating: 0,
      waiting: 1,
      total: 2,
      uncertain: false,
    });
    expect(health).toEqual({ healthy: 2, unavailable: 0, degraded: 0 });
  });

  it('are updating, waiting or neither while they are not updated, in the order of the documents', () => {
    const { completion, updatingOperators, waitingOperators } = controlPlane({
      clusterOperators: [
        aPlatformOperator('z', FROM, [progressing('True', ago(90), '', 'one\ntwo')]),
        aPlatformOperator('a', FROM, [progressing('True', ago(45), 'Rolling')]),
        aPlatformOperator('unknown', FROM, [progressing('Unknown')]),
        aPlatformOperator('waiting', FROM),
        aPlatformOperator('updated', TO, [progressing('True')]),
      ],
    });
    expect(completion).toMatchObject({ updated: 1, updating: 2, waiting: 1, total: 5 });
    expect(updatingOperators).toEqual([
      { name: 'z', since: ago(90), reason: null, message: 'one\ntwo' },
      { name: 'a', since: ago(45), reason: 'Rolling', message: '' },
    ]);
    expect(waitingOperators).toEqual(['waiting']);
  });

  it('are healthy by their last condition of a type, whatever its age', () => {
    const bad = (name: string, conditions: ReturnType<typeof aCondition>[]) =>
      aPlatformOperator(name, TO, conditions);
    const { health, unavailableOperators, degradedOperators } = controlPlane({
      clusterOperators: [
        bad('down', [aCondition('Available', 'False', '', '', ago(1))]),
        bad('lost', [aCondition('Available', 'Unknown')]),
        bad('both', [aCondition('Available', 'False'), aCondition('Degraded', 'True')]),
        bad('degraded', [aCondition('Degraded', 'True', '', '', ago(1))]),
        bad('maybe', [aCondition('Degraded', 'Unknown')]),
        bad('recovered', [aCondition('Available', 'False'), aCondition('Available', 'True')]),
      ],
    });
    expect(health).toEqual({ healthy: 2, unavailable: 3, degraded: 1 });
    expect(unavailableOperators).toEqual(['down', 'lost', 'both']);
    expect(degradedOperators).toEqual(['degraded']);
  });

  it('cut messages at a whole character', () => {
    const message = `${'x'.repeat(999)}😀y`;
    const [operator] = controlPlane({
      clusterOperators: [aPlatformOperator('a', FROM, [progressing('True', ago(1), '', message)])],
    }).updatingOperators;
    expect(operator!.message).toBe(`${'x'.repeat(999)}…`);
  });
});

describe('machine-config', () => {
  const migration = aVersion({
    desired: { version: FROM, image: 'multi', channels: [] },
    history: [
      entry('Partial', FROM, BEGIN, null, 'multi'),
      entry('Completed', FROM, ago(9000), ago(8000), 'amd64'),
    ],
  });
  const withImage = (image: string) => [
    aPlatformOperator('etcd', FROM),
    aPlatformOperator('machine-config', FROM, [], image),
    aPlatformOperator('other', FROM, [], 'ignored'),
  ];
  const inMigration = (image: string, machineConfigImage: string | null) =>
    aRunningUpdate({ clusterVersion: migration, clusterOperators: withImage(image), machineConfigImage });

  it('is updated by the image of its Deployment too', () => {
    expect(statusFrom(inMigration('old', 'new')).controlPlane!.completion).toMatchObject({
      updated: 2,
      total: 3,
    });
    expect(statusFrom(inMigration('new', 'new')).controlPlane!.completion).toMatchObject({ updated: 3 });
  });

  it('is updated by its version alone without the Deployment, which is then missing', () => {
    const status = statusFrom(inMigration('old', null));
    expect(status.controlPlane!.completion).toMatchObject({ updated: 3, uncertain: true });
    expect(status.missing).toContain('deployments');
    const { controlPlane: plain, missing } = statusFrom(
      aRunningUpdate({ clusterOperators: [aPlatformOperator('machine-config', TO, [], 'old')] }),
    );
    expect(plain!.completion).toMatchObject({ updated: 1, uncertain: false });
    expect(missing).toContain('deployments');
    expect(statusFrom(aRunningUpdate()).missing).not.toContain('deployments');
  });

  it('has no estimate while it migrates to multi-arch', () => {
    const { controlPlane: migrating, target } = statusFrom(inMigration('old', 'new'));
    expect(migrating!.remaining!.text).toBe('N/A for Multi-Architecture Migration');
    expect(target).toMatchObject({ kind: 'multi-arch', text: `${FROM} to Multi-Architecture` });
  });
});

describe('the estimate', () => {
  it('measures the pace by the last operator that changed', () => {
    const clusterOperators = [
      aPlatformOperator('a', TO, [progressing('False', ago(600))]),
      aPlatformOperator('b', FROM, [progressing('True', ago(900))]),
    ];
    // 1200 s for a half: 1200 / f(0.5) − 1800 = 1280.77, × 1.2 = 1536.
    expect(controlPlane({ clusterOperators }).remaining).toEqual({
      seconds: 1560,
      text: '26m',
      estimatedTotalSeconds: 3360,
      basis: 'progress',
    });
  });

  it('measures it by machine-config if that alone is left and progresses', () => {
    const others = [aPlatformOperator('a', TO, [progressing('False', ago(60))])];
    const left = (status: string) => [
      ...others,
      aPlatformOperator('machine-config', FROM, [progressing(status, ago(1200))]),
    ];
    const toLast = (clusterOperators: ClusterFacts['clusterOperators']) =>
      controlPlane({ clusterOperators }).remaining!.seconds;
    // 600 s and 1740 s for a half.
    expect(toLast(left('True'))).toBe(-216);
    expect(toLast(left('False'))).toBe(3180);
  });

  it('counts the time until now if no operator changed since the begin', () => {
    const clusterOperators = [aPlatformOperator('a', TO), aPlatformOperator('b', FROM)];
    expect(controlPlane({ clusterOperators }).remaining).toMatchObject({ seconds: 3360, basis: 'progress' });
  });

  it('counts a change after the moment as one of now', () => {
    const changedAt = (since: string) =>
      controlPlane({
        clusterOperators: [
          aPlatformOperator('a', TO, [progressing('False', since)]),
          aPlatformOperator('b', FROM),
        ],
      }).remaining;
    expect(changedAt(ago(-900))).toEqual(changedAt(ago(0)));
    expect(changedAt(ago(-900))).not.toEqual(changedAt(ago(600)));
  });

  it('has no text when nothing remains, and ends with the last operator', () => {
    const at = Date.parse(BEGIN) + 3600_000;
    expect(controlPlane({ clusterOperators: operators(0, 2) }, at).remaining).toMatchObject({
      seconds: 0,
      text: null,
    });
    expect(controlPlane({ clusterOperators: operators(2, 0) }, at).remaining).toBe(null);
  });

  it.each([
    [3100, 'Progressing', '10m'],
    [3101, 'Progressing', '<10m'],
    [3600, 'Progressing', null],
    [3601, 'Progressing', null],
    [3602, 'ProgressingSlow', '<10m'],
    [4321, 'ProgressingSlow', '<10m'],
    [4322, 'Stalled', 'N/A; estimate duration was 1h2m'],
  ])('%d s after the begin without a change, the update is %s', (elapsed, assessment, text) => {
    const at = Date.parse(BEGIN) + elapsed * 1000;
    const found = controlPlane({ clusterOperators: operators(0, 2) }, at);
    expect([found.assessment, found.remaining!.text]).toEqual([assessment, text]);
  });

  it('has no duration before the begin, and the summary shows why', () => {
    const before = Date.parse(BEGIN) - 60_000;
    const { controlPlane: early, summary, forecast } = statusFrom(aRunningUpdate(), before);
    expect(early).toMatchObject({ durationSeconds: 0, duration: 'now', remaining: null });
    expect(forecast).toEqual({ controlPlane: null, workers: null, whole: null, heldNodes: 0 });
    expect(summary).toContain(BEGIN);
  });
});

describe('the target', () => {
  const targetOf = (...history: ReturnType<typeof entry>[]) =>
    statusFrom(aRunningUpdate({ clusterVersion: aVersion({ history }) }));
  const current = entry('Partial', TO, BEGIN, null);

  it('is described by the history', () => {
    expect(targetOf(current).target).toEqual({
      version: TO,
      previous: null,
      kind: 'install',
      previousIncomplete: false,
      text: `${TO} (a new install)`,
    });
    expect(targetOf(current, entry('Completed', FROM, ago(9000), ago(8000))).target).toMatchObject({
      previous: FROM,
      kind: 'update',
      text: `${TO} (from ${FROM})`,
    });
    expect(targetOf(current, entry('Partial', FROM, ago(9000), ago(8000))).target).toMatchObject({
      previousIncomplete: true,
      text: `${TO} (from incomplete ${FROM})`,
    });
    expect(targetOf().target).toMatchObject({ version: TO, text: `${TO} (from unknown)` });
  });

  it('begins with Progressing if the history has no start', () => {
    const conditions = [progressing('True', ago(77))];
    const without = (history: ReturnType<typeof entry>[]) =>
      statusFrom(aRunningUpdate({ clusterVersion: aVersion({ history, conditions }) }));
    expect(without([])).toMatchObject({
      startedAt: ago(77),
      controlPlane: { durationSeconds: 0, duration: 'now' },
    });
    const started = without([
      { ...current, startedTime: null },
      entry('Completed', FROM, ago(9000), ago(8000)),
    ]);
    expect(started).toMatchObject({ startedAt: ago(77), target: { version: TO } });
    expect(started.controlPlane!.durationSeconds).toBe(77);
  });
});

describe('an update is in progress', () => {
  const idle = aVersion({
    history: [
      entry('Completed', TO, ago(9000), ago(7200)),
      entry('Completed', FROM, ago(99_000), ago(90_000)),
    ],
    conditions: [progressing('False')],
  });
  const stateOf = (changes: Partial<ClusterFacts>) =>
    statusFrom(aRunningUpdate({ clusterVersion: idle, clusterOperators: operators(2, 0), ...changes }));

  it('while a worker pool is behind, but not for the control plane pool alone', () => {
    expect(stateOf({})).toMatchObject({ updating: true, state: 'workers' });
    const nodes = [outdatedNode('master-0', {}, 'master'), updatedNode('worker-0')];
    expect(stateOf({ nodes })).toMatchObject({
      updating: false,
      state: 'none',
      target: null,
      controlPlane: null,
      startedAt: null,
      insights: [],
      summary: `No update is in progress. The cluster runs ${TO} since 2026-11-16T10:00:00Z`,
    });
    expect(stateOf({ pools: null, nodes: null })).toMatchObject({ updating: false, pools: [] });
  });

  it('and has ended for the control plane when the history says so', () => {
    expect(stateOf({}).controlPlane).toMatchObject({
      assessment: 'Completed',
      completedAt: ago(7200),
      durationSeconds: 1800,
      duration: '30m',
    });
    const partial = statusFrom(aRunningUpdate({ clusterOperators: operators(2, 0) })).controlPlane!;
    expect(partial).toMatchObject({ assessment: 'Completed', completedAt: null, duration: '30m' });
  });

  it('by the first condition of the ClusterVersion', () => {
    const conditions = [progressing('False'), progressing('True')];
    const clusterVersion = { ...idle, conditions };
    expect(stateOf({ clusterVersion, nodes: [updatedNode('worker-0')] }).updating).toBe(false);
  });
});
