import { type Finding, INPUT_MISSING, settleFinding, finding } from '@cairn/shared/safety/condition';
import { entersMinor, type Hop } from '@cairn/shared/safety/hop';
import { describe, expect, it } from 'vitest';
import { aCluster, context } from '../../../helpers/cluster/clusters.ts';
import { OPTIONS } from '../../../helpers/cluster/evaluations.ts';

/** The last hop of a path that begins where the cluster is. */
function lastHop(path: string): Hop {
  const versions = path.split(' ');
  return context(aCluster({}, versions[0]), versions).hop;
}

const BLOCKING = finding({
  type: 'Some',
  status: 'False',
  reason: 'SomeReason',
  message: 'why',
  effect: 'block',
});

describe('the effect of what would block the next minor', () => {
  it.each([
    ['patch', '4.4.3 4.4.29', 'warn'],
    ['same version', '4.4.3 4.4.3', 'warn'],
    ['next minor', '4.4.3 4.5.24', 'block'],
    ['next minor after a patch', '4.4.3 4.4.29 4.5.24', 'block'],
    ['two minors on', '4.4.3 4.5.24 4.6.1', 'inform'],
    ['five minors on', '4.4.3 4.5.24 4.6.1 4.7.1 4.8.1 4.9.1', 'inform'],
    ['patch of the next minor', '4.4.3 4.5.1 4.5.24', 'warn'],
    ['patch two minors on', '4.4.3 4.5.1 4.6.1 4.6.9', 'warn'],
    ['from a pre-release to its release', '4.15.0-rc.1 4.15.0', 'warn'],
    ['the same minor under its other name', '4.23.2 5.0.1', 'warn'],
    ['the same, further on', '4.22.2 4.23.2 5.0.1', 'warn'],
    ['next major', '4.22.2 5.0.1', 'block'],
    ['past the major', '4.22.2 5.0.1 5.1.0', 'inform'],
    ['from 4.23 past the major', '4.23.2 5.1.0', 'block'],
    ['back within the minor', '4.4.29 4.4.3', 'warn'],
    ['back to an earlier minor', '4.5.24 4.4.3', 'warn'],
  ])('%s, %s: %s', (_name, path, effect) => {
    expect(settleFinding(BLOCKING, lastHop(path), OPTIONS).effect).toBe(effect);
  });

  it.each(['4.4.3 4.4.29', '4.4.3 4.5.24', '4.4.3 4.5.24 4.6.1'])('holds anyhow on %s if it must', (path) => {
    const always: Finding = { ...BLOCKING, evenForPatches: true };
    expect(settleFinding(always, lastHop(path), OPTIONS).effect).toBe('block');
  });

  it.each(['ok', 'info', 'warn'] as const)('leaves %s as it is, wherever the hop is', (effect) => {
    const paths = ['4.4.3 4.4.29', '4.4.3 4.5.24', '4.4.3 4.5.24 4.6.1'];
    const settled = paths.map((path) => settleFinding({ ...BLOCKING, effect }, lastHop(path), OPTIONS));
    expect(settled.map((condition) => condition.effect)).toEqual([effect, effect, effect]);
  });
});

it('entering a minor is what minor and major updates of more than the name do', () => {
  const paths = ['4.4.3 4.4.29', '4.4.3 4.5.1', '4.22.1 5.0.1', '4.23.1 5.0.1', '4.5.1 4.4.3'];
  expect(paths.map((path) => entersMinor(lastHop(path)))).toEqual([false, true, true, false, false]);
});

describe('what was not supplied', () => {
  const missing = finding({
    type: 'Some',
    status: 'Unknown',
    reason: INPUT_MISSING,
    message: 'not supplied',
    effect: 'warn',
  });

  it.each([
    ['4.4.3 4.4.29', false, 'warn'],
    ['4.4.3 4.5.24', false, 'warn'],
    ['4.4.3 4.5.24 4.6.1', false, 'warn'],
    ['4.4.3 4.4.29', true, 'warn'],
    ['4.4.3 4.5.24', true, 'block'],
    ['4.4.3 4.5.24 4.6.1', true, 'inform'],
  ])('%s, strict %s: %s', (path, strict, effect) => {
    const settled = settleFinding(missing, lastHop(path), { ...OPTIONS, strict });
    expect(settled).toEqual({ ...missing, effect });
  });

  it('is not the same as empty: strict does not block that', () => {
    const empty = finding({
      type: 'Some',
      status: 'Unknown',
      reason: 'NoNodes',
      message: 'empty',
      effect: 'warn',
    });
    expect(settleFinding(empty, lastHop('4.4.3 4.5.24'), { ...OPTIONS, strict: true }).effect).toBe('warn');
  });
});

describe('what was accepted', () => {
  const hop = lastHop('4.4.3 4.5.24');
  const settle = (found: Finding, ...accept: string[]) => settleFinding(found, hop, { ...OPTIONS, accept });

  it.each([
    ['its reason', ['SomeReason']],
    ['its type', ['Some']],
    ['one name of many', ['Other', 'Some']],
  ])('by %s stays as it is, and is marked', (_name, accept) => {
    expect(settle(BLOCKING, ...accept)).toEqual({ ...BLOCKING, accepted: true });
  });

  it.each([[['some']], [['SomeReason ']], [['why']], [[]]])('is not meant by %j', (accept) => {
    expect(settle(BLOCKING, ...accept)).toEqual(BLOCKING);
  });

  it.each([
    ['ok', undefined],
    ['info', undefined],
    ['warn', true],
    ['block', true],
  ] as const)('has to be something to accept: %s', (effect, accepted) => {
    expect(settle({ ...BLOCKING, effect }, 'Some').accepted).toBe(accepted);
  });

  it('may be named as oc names it', () => {
    const progressing: Finding = { ...BLOCKING, reason: 'UpdateInProgress' };
    expect(settle(progressing, 'Progressing').accepted).toBe(true);
    expect(settle(BLOCKING, 'Progressing').accepted).toBeUndefined();
  });

  it('cannot be what may never be accepted', () => {
    const never: Finding = { ...BLOCKING, notAcceptable: true };
    expect(settle(never, 'Some', 'SomeReason')).toEqual(BLOCKING);
  });

  it('shows nothing of how it came about', () => {
    const settled = settle({ ...BLOCKING, notAcceptable: true, evenForPatches: true });
    expect(Object.keys(settled).toSorted()).toEqual(Object.keys(BLOCKING).toSorted());
  });
});
