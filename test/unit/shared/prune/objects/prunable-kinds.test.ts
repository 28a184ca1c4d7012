import { isFinishedJob, isFinishedPod, PrunableKinds } from '@cairn/shared/prune/objects/prunable-kinds';
import { describe, expect, it } from 'vitest';
import { aJob, aPod, NOW } from '../../../../helpers/prune/objects.ts';

const context = { now: NOW };
const GOES = { ok: true };
const stays = (reason: string) => ({ ok: false, reason });

describe('isFinishedPod', () => {
  it.each([
    ['Succeeded', GOES],
    ['Failed', stays('the pod is Failed, and failed pods are kept')],
    ['Running', stays('the pod is Running')],
    ['Pending', stays('the pod is Pending')],
    ['Unknown', stays('the pod is Unknown')],
    ['', stays('the pod has no phase')],
    ['succeeded', stays('the pod is succeeded')],
    ['<b>', stays('the pod is "<b>"')],
  ])('judges a pod that is %j', (phase, expected) => {
    expect(isFinishedPod()(aPod('a', '1h', phase), context)).toEqual(expected);
  });

  it('releases failed ones if enabled, and no others', () => {
    const isPrunable = isFinishedPod({ failed: 'prune' });
    expect(isPrunable(aPod('a', '1h', 'Failed'), context)).toEqual(GOES);
    expect(isPrunable(aPod('a', '1h', 'Running'), context)).toEqual(stays('the pod is Running'));
  });
});

describe('isFinishedJob', () => {
  const conditions = (...types: string[]) => ({
    conditions: types.map((type) => ({ type, status: 'True' })),
  });
  const FAILED = 'the job is failed, and failed jobs are kept';

  it.each<[string, object, ReturnType<typeof stays> | typeof GOES]>([
    [
      'complete, by both',
      { status: { completionTime: '2026-11-01T00:00:00Z', ...conditions('Complete') } },
      GOES,
    ],
    ['complete, by its time', { status: { completionTime: '2026-11-01T00:00:00Z' } }, GOES],
    ['complete, by a Date', { status: { completionTime: new Date(0) } }, GOES],
    ['complete, by its condition', { status: conditions('SuccessCriteriaMet', 'Complete') }, GOES],
    ['complete, suspended too late', { spec: { suspend: true }, status: conditions('Complete') }, GOES],
    ['failed', { status: conditions('Failed') }, stays(FAILED)],
    ['failed after all', { status: { completionTime: 'x', ...conditions('Failed') } }, stays(FAILED)],
    ['about to fail', { status: conditions('FailureTarget') }, stays('the job is not finished')],
    ['about to succeed', { status: conditions('SuccessCriteriaMet') }, stays('the job is not finished')],
    [
      'not known to be complete',
      { status: { conditions: [{ type: 'Complete', status: 'Unknown' }] } },
      stays('the job is not finished'),
    ],
    ['running', { status: { active: 2 } }, stays('the job is running')],
    ['not started', { status: {} }, stays('the job is not finished')],
    ['new', {}, stays('the job is not finished')],
    [
      'suspended',
      { spec: { suspend: true }, status: conditions('Suspended') },
      stays('the job is suspended'),
    ],
    ['to be suspended', { spec: { suspend: true }, status: { active: 1 } }, stays('the job is suspended')],
    [
      'told to be complete and suspended',
      { status: conditions('Complete', 'Suspended') },
      stays('the job is suspended'),
    ],
    ['without a time', { status: { completionTime: null } }, stays('the job is not finished')],
  ])('judges a job that is %s', (_what, job, expected) => {
    expect(isFinishedJob()(job, context)).toEqual(expected);
  });

  it('releases failed ones if enabled, and no others', () => {
    const isPrunable = isFinishedJob({ failed: 'prune' });
    expect(isPrunable(aJob('a', '1h', 'failed'), context)).toEqual(GOES);
    expect(isPrunable(aJob('a', '1h', 'running'), context)).toEqual(stays('the job is running'));
  });
});

describe('what is of another shape', () => {
  it.each<[unknown, string, string]>([
    [null, 'expected a Pod, found null', 'expected a Job, found null'],
    ['Succeeded', 'expected a Pod, found "Succeeded"', 'expected a Job, found "Succeeded"'],
    [{ kind: 'Node' }, 'expected a Pod, found a Node', 'expected a Job, found a Node'],
    [{ kind: 7 }, 'expected a Pod, found a 7', 'expected a Job, found a 7'],
    [{}, 'the pod has no phase', 'the job is not finished'],
    [{ status: 'Succeeded' }, 'the pod has no phase', 'the job is not finished'],
    [{ status: { phase: {}, conditions: {} } }, 'the pod is an object', 'the job is not finished'],
    [{ status: { phase: [], conditions: [null, 7, {}] } }, 'the pod is an array', 'the job is not finished'],
  ])('stays: %j', (object, ofPod, ofJob) => {
    expect(isFinishedPod({ failed: 'prune' })(object, context)).toEqual(stays(ofPod));
    expect(isFinishedJob({ failed: 'prune' })(object, context)).toEqual(stays(ofJob));
  });
});

describe('PrunableKinds', () => {
  const never = () => stays('never');

  it('has Pods and Jobs by default, failed ones by choice', () => {
    const registry = PrunableKinds.withDefaults();
    expect(registry.kinds()).toEqual(['batch/v1/Job', 'v1/Pod']);
    expect(registry.get('v1/Pod')!(aPod('a', '1h', 'Failed'), context)).toMatchObject({ ok: false });
    const pruning = PrunableKinds.withDefaults({ failed: 'prune' });
    expect(pruning.get('v1/Pod')!(aPod('a', '1h', 'Failed'), context)).toEqual(GOES);
    expect(pruning.get('batch/v1/Job')!(aJob('a', '1h', 'failed'), context)).toEqual(GOES);
  });

  it('is empty when it is new, and knows a kind by its name and by its parts', () => {
    const registry = new PrunableKinds();
    expect(registry.kinds()).toEqual([]);
    expect(registry.get('v1/Pod')).toBeUndefined();
    registry.register({ group: 'example.com', version: 'v1', kind: 'Backup' }, never);
    expect(registry.get('example.com/v1/Backup')).toBe(never);
    expect(registry.get('example.com/v2/Backup')).toBeUndefined();
    expect(registry.get('constructor')).toBeUndefined();
  });

  it('takes another function in place of a default', () => {
    expect(PrunableKinds.withDefaults().register('v1/Pod', never).get('v1/Pod')).toBe(never);
  });

  it('has copies that go their own way', () => {
    const registry = PrunableKinds.withDefaults();
    const copy = registry.copy().register('RunRecord', never);
    expect(copy.kinds()).toEqual(['RunRecord', 'batch/v1/Job', 'v1/Pod']);
    expect(registry.kinds()).toEqual(['batch/v1/Job', 'v1/Pod']);
    expect(copy.get('v1/Pod')).toBe(registry.get('v1/Pod'));
  });

  it.each([
    [
      () => new PrunableKinds().register('v1/Pod', undefined as never),
      'the is-prunable of v1/Pod is undefined; it must be a function',
    ],
    [() => new PrunableKinds().register('a/b/c/d', never), '"a/b/c/d" is no kind'],
    [
      () => PrunableKinds.withDefaults({ failed: 'maybe' as never }),
      'failed is "maybe"; it must be "keep" or "prune"',
    ],
  ])('refuses what makes no sense', (call, message) => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
  });
});
