import type { PathResult } from '@cairn/shared/path/find-path';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import fc from 'fast-check';
import { anUpdate } from '../cluster/clusters.ts';
import { aRisk } from './answers.ts';

/** Relation of two successive versions. Most occur in update graphs. */
type Move = 'patch' | 'minor' | 'skip' | 'back' | 'same' | 'lateral';
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('patch' as const) },
  { weight: 6, arbitrary: fc.constant('minor' as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('skip' as const, 'back' as const, 'same' as const, 'lateral' as const),
  },
);

function moved(version: string, how: Move, patch: number): string {
  const { major, minor, patch: from } = mustParseVersion(version);
  const up = (minors: number): string =>
    major === 4 && minor + minors > 22
      ? `5.${minor + minors - 23}.${patch}`
      : `${major}.${minor + minors}.${patch}`;
  switch (how) {
    case 'patch':
      return `${major}.${minor}.${from + 1 + patch}`;
    case 'minor':
      return up(1);
    case 'skip':
      return up(2);
    case 'back':
      return from > 0 ? `${major}.${minor}.${from - 1}` : `${major}.${Math.max(0, minor - 1)}.${patch}`;
    case 'lateral':
      return major === 4 && minor === 22
        ? `4.23.${patch}`
        : major === 4 && minor === 23
          ? `5.0.${patch}`
          : version;
    default:
      return version;
  }
}

/** The source comes first. */
export const path: fc.Arbitrary<string[]> = fc
  .record({
    start: fc.oneof(
      fc.integer({ min: 1, max: 23 }).map((minor) => `4.${minor}`),
      fc.constantFrom('4.6', '4.14', '4.22', '4.23', '5.0', '5.2'),
    ),
    patch: fc.oneof(
      fc.nat(40).map(String),
      fc.constantFrom('0-rc.1', '0-0.nightly-2024-08-01-082745', '0-0.okd-2023-03-18-084815'),
    ),
    moves: fc.array(fc.tuple(move, fc.nat(30)), { maxLength: 5 }),
  })
  .map(({ start, patch, moves }) => {
    const versions = [`${start}.${patch}`];
    for (const [how, number] of moves) versions.push(moved(versions.at(-1)!, how, number));
    return versions;
  });

export function answerAlong(versions: readonly string[], conditional: readonly boolean[] = []): PathResult {
  const to = versions.at(-1)!;
  const steps = versions.map((version, index) => {
    const node = { version, payload: `example.com/release@${version}`, metadata: {} };
    const risks = conditional[index] ? [aRisk('A'), aRisk('B')] : [];
    const hop =
      index === 0 ? null : anUpdate({ conditional: risks.length > 0, risks, channels: ['stable-4.14'] });
    return { version, payload: node.payload, node, hop };
  });
  const hops = versions.length - 1;
  const stats = { hops, minorsCrossed: 0, riskyHops: 0, distinctRisks: 0, channelSwitches: 0 };
  const channelPlan = hops === 0 ? [] : [{ channel: 'stable-4.14', untilVersion: to }];
  return {
    found: true,
    from: versions[0]!,
    to,
    channels: ['stable-4.14'],
    channelsLeftOut: [],
    conflicts: [],
    sourceWithdrawn: false,
    sourceExcluded: false,
    upgrade: { found: true, exact: true, alternatives: [], path: steps, stats, channelPlan },
  };
}
