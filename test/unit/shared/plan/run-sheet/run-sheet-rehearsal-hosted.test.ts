import { describe, expect, it } from 'vitest';
import {
  type HostedEdit,
  type HostedShape,
  rehearseHosted,
  seededHosted,
} from '../../../../helpers/plan/rehearsal/hosted-rehearsal.ts';
import { sized } from '../../../../helpers/size.ts';

const CLUSTERS = sized(40, 300);
const shapes = Array.from({ length: CLUSTERS }, (_, seed) => seededHosted(seed));

describe(`run sheets of ${CLUSTERS} hosted clusters, carried out on a simulated management cluster`, () => {
  it('reach their target, with all node pools', () => {
    const deadEnds = shapes.map((shape) => [rehearseHosted(shape), shape] as const);
    expect(deadEnds.filter(([problem]) => problem !== null).slice(0, 3)).toEqual([]);
  });

  it('are of all kinds of node pools and histories', () => {
    const counts = [
      shapes.filter(({ hasControlPlaneHistory }) => hasControlPlaneHistory),
      shapes.filter(({ hasControlPlaneHistory }) => !hasControlPlaneHistory),
      shapes.filter(({ behind }) => behind.some((minors) => minors > 1)),
      shapes.filter(({ route }) => route.length > 3),
    ].map(({ length }) => length);
    expect(counts.filter((count) => count < CLUSTERS / 20)).toEqual([]);
  });
});

describe('a rehearsal of a hosted cluster finds', () => {
  const far: HostedShape = {
    route: ['4.18.10', '4.19.10', '4.20.10', '4.21.10', '4.22.10'],
    behind: [0, 0],
    hasControlPlaneHistory: true,
    strategy: 'control-plane-only',
  };
  const replaced =
    (old: string | RegExp, by: string): HostedEdit =>
    (steps) =>
      steps.map(({ command, commands, ...step }) => ({
        ...step,
        ...(command !== undefined && { command: command.replace(old, by) }),
        ...(commands !== undefined && { commands: commands.map((each) => each.replace(old, by)) }),
      }));

  it.each<[string, HostedEdit, RegExp]>([
    [
      'node pools that are left behind before the last hop',
      (steps) => steps.filter(({ kind, hop }) => kind !== 'roll-pool' || hop === null),
      /blocked: NodePoolTooOld|too old for 4\.22/,
    ],
    [
      'node pools that stay old at the end',
      (steps) => steps.filter(({ kind, hop }) => kind !== 'roll-pool' || hop !== null),
      /node pool pool-0 is at/,
    ],
    [
      'an update before the end of the one before',
      (steps) => steps.filter(({ kind }) => kind !== 'verify'),
      /another update is in progress|blocked/,
    ],
    [
      'a wait for the other history',
      replaced(/controlPlaneVersion/g, 'version'),
      /there is no history version/,
    ],
    ['a tag instead of a digest', replaced(/@sha256:\w+/, ':4.19.10'), /no release of the path/],
    ['a wait without a limit', replaced(/--timeout=\d+m/, '--timeout=0'), /not a command/],
    [
      'an update of the standalone kind',
      replaced(/^oc -n clusters patch hostedcluster.*release.*$/, 'oc adm upgrade --to=4.19.10'),
      /not a command/,
    ],
  ])('%s', (_bug, edit, problem) => {
    expect(rehearseHosted(far)).toBeNull();
    expect(rehearseHosted(far, edit)).toMatch(problem);
  });
});
