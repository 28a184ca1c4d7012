import { describe, expect, it } from 'vitest';
import type { FleetRisk } from '../../../../../functions/console/data/responses.ts';
import {
  byExposure,
  exposureInWords,
  filterRisks,
  headlineOf,
  minorsInWords,
  restOfMessage,
  titleOfRisk,
} from '../../../../../functions/console/risks/exposure.ts';

const NONE = { yes: 0, unknown: 0, accepted: 0, no: 3 };

function aRisk(
  name: string,
  clusters: Partial<FleetRisk['clusters']>,
  more: Partial<FleetRisk> = {},
): FleetRisk {
  return {
    name,
    url: '',
    message: `${name} happens.`,
    firstSeen: '2026-01-01T00:00:00Z',
    channels: ['stable-4.16/amd64'],
    rule: 'query',
    clusters: { ...NONE, ...clusters },
    ...more,
  };
}

describe('exposure', () => {
  it('orders by the worst answer, then by its clusters, then the newest first', () => {
    const risks = [
      aRisk('None', {}),
      aRisk('Accepted', { accepted: 9 }),
      aRisk('UnknownOld', { unknown: 2 }),
      aRisk('UnknownNew', { unknown: 2 }, { firstSeen: '2026-05-01T00:00:00Z' }),
      aRisk('OneApplies', { yes: 1, unknown: 8 }),
      aRisk('TwoApply', { yes: 2 }),
    ];
    expect(byExposure(risks).map((risk) => `${risk.name}: ${exposureInWords(risk)}`)).toEqual([
      'TwoApply: 2 apply',
      'OneApplies: 1 applies',
      'UnknownNew: 2 unknown',
      'UnknownOld: 2 unknown',
      'Accepted: 9 accepted',
      'None: none',
    ]);
  });

  it.each([
    [[], 'No known risk applies to your clusters', 'completed'],
    [[aRisk('A', {})], 'No known risk applies to your clusters', 'completed'],
    [[aRisk('A', { accepted: 1 })], '1 known risk is accepted, no other applies', 'held'],
    [
      [aRisk('A', { unknown: 1 }), aRisk('B', { accepted: 1 })],
      '1 known risk may apply to your clusters',
      'unknown',
    ],
    [[aRisk('A', { yes: 6 })], '1 known risk applies to 6 of your clusters', 'Critical'],
    // The clusters of both may be the same ones.
    [
      [aRisk('A', { yes: 6 }), aRisk('B', { yes: 2 })],
      '2 known risks apply to at least 6 of your clusters',
      'Critical',
    ],
  ])('has a headline of %#', (risks, title, mark) => {
    expect(headlineOf(risks)).toMatchObject({ title, mark });
  });

  it('counts every risk once in the sentence below', () => {
    const risks = [
      aRisk('A', { yes: 1, unknown: 1 }),
      aRisk('B', { unknown: 1 }),
      aRisk('C', {}),
      aRisk('D', {}),
    ];
    expect(headlineOf(risks).detail).toBe(
      '4 known risks in the followed channels. 2 do not apply to any cluster, 1 is unknown for at least one.',
    );
  });

  it('finds by name, text and channel, and filters by channel', () => {
    const risks = [
      aRisk('DiskLoop', {}, { channels: ['stable-4.16/amd64', 'eus-4.18/arm64'] }),
      aRisk('Other', {}, { message: 'A disk stays.', channels: ['stable-4.17/amd64'] }),
    ];
    const found = (find: string, on = '') => filterRisks(risks, { find, on }).map(({ name }) => name);
    expect(found(' DISK ')).toEqual(['DiskLoop', 'Other']);
    expect(found('eus-')).toEqual(['DiskLoop']);
    expect(found('', 'stable-4.17')).toEqual(['Other']);
    expect(found('disk', 'stable-4.1')).toEqual([]);
    expect(risks.map(minorsInWords)).toEqual(['4.16 to 4.18', '4.17']);
  });

  it('has the first sentence as title, and not twice', () => {
    const parts = (message: string) => {
      const risk = { name: 'SomeRisk', message };
      return [titleOfRisk(risk), restOfMessage(risk)];
    };
    expect(parts('Nodes hang.')).toEqual(['Nodes hang', '']);
    expect(parts('Nodes on 4.14.z hang. Restart them.\n')).toEqual(['Nodes on 4.14.z hang', 'Restart them.']);
    expect(parts('Services (e.g. Ignition) stop')).toEqual(['Services (e.g. Ignition) stop', '']);
    expect(parts('')).toEqual(['SomeRisk', '']);
    const long = `${'words '.repeat(30)}end. More.`;
    const [title, rest] = parts(long);
    expect(title).toMatch(/^(words ){15}words…$/);
    expect(rest).toBe(long);
    expect(parts('x'.repeat(200))[0]).toHaveLength(96);
  });
});
