import { describe, expect, it } from 'vitest';
import { archOfCluster, fleetRows, type FleetOrder } from '../../../../../functions/console/fleet/rows.ts';
import { aLine } from './lines.ts';

const FLEET = [
  aLine({ id: 'b', version: '4.9.10', verdict: 'ready' }),
  aLine({ id: 'a', version: '4.14.2', verdict: null }),
  aLine({ id: 'd', version: null, verdict: 'ready' }),
  aLine({ id: 'c', version: '4.14.10', verdict: 'blocked' }),
];
const ids = (by: FleetOrder['by'], descending = false): string =>
  fleetRows(FLEET, { by, descending })
    .map(({ id }) => id)
    .join('');

describe('the rows of the fleet', () => {
  it.each([
    ['id', false, 'abcd'],
    ['id', true, 'dcba'],
    // By number, not by letter; the one without a version comes last either way.
    ['version', false, 'bacd'],
    ['version', true, 'cabd'],
    // As does the one that was not looked at yet.
    ['verdict', false, 'cbda'],
    ['verdict', true, 'bdca'],
  ] as const)('by %s, descending %s', (by, descending, order) => {
    expect(ids(by, descending)).toBe(order);
  });

  it('come by urgency', () => {
    const verdicts = ['ready', 'unknown', 'action-required', 'blocked', 'ready-with-warnings'] as const;
    const rows = fleetRows(
      verdicts.map((verdict) => aLine({ id: verdict, verdict })),
      { by: 'verdict', descending: false },
    );
    expect(rows.map(({ verdict }) => verdict)).toEqual([
      'blocked',
      'unknown',
      'action-required',
      'ready-with-warnings',
      'ready',
    ]);
  });

  it('leave the list as it was', () => {
    ids('id');
    expect(FLEET[0]!.id).toBe('b');
  });
});

it.each([
  [[], 'amd64'],
  [['arm64'], 'arm64'],
  [['amd64', 'arm64'], 'multi'],
  [['riscv'], 'amd64'],
])('nodes of %j run the image for %s', (arches, arch) => {
  expect(archOfCluster({ arches })).toBe(arch);
});
