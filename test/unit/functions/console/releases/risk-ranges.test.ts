import { prepareGraph } from '@cairn/shared/path/prepared-graph';
import { describe, expect, it } from 'vitest';
import { risksOf, type RiskRange } from '../../../../../functions/console/releases/risk-ranges.ts';
import { aGraph, aGroup, aRisk, type AnswerGroup } from '../../../../helpers/path/answers.ts';

const VERSIONS = ['4.14.0', '4.14.1', '4.14.2', '4.15.0', '4.15.1', '4.15.2', '4.15.4', '4.16.0'];

function risks(...conditional: AnswerGroup[]) {
  return risksOf(prepareGraph([{ channel: 'stable-4.16', graph: aGraph(VERSIONS, [], conditional) }]));
}

/** `4.15.1–4.15.2 from 4.14` */
function inWords({ first, last, from }: RiskRange): string {
  return `${first}–${last} from ${from.join(', ')}`;
}

function ranges(...pairs: (readonly [string, string])[]): string[] {
  return risks(aGroup(pairs, aRisk('A')))[0]!.ranges.map(inWords);
}

describe('where a risk stands', () => {
  it('is a run of releases that follow each other in the channel, over versions that were never released', () => {
    expect(ranges(['4.14.0', '4.15.1'], ['4.14.0', '4.15.2'], ['4.14.0', '4.15.4'])).toEqual([
      '4.15.1–4.15.4 from 4.14',
    ]);
  });

  it('begins anew after a release that it does not concern, newest first', () => {
    expect(ranges(['4.14.0', '4.15.0'], ['4.14.0', '4.15.2'])).toEqual([
      '4.15.2–4.15.2 from 4.14',
      '4.15.0–4.15.0 from 4.14',
    ]);
  });

  it('ends with its minor', () => {
    expect(ranges(['4.15.0', '4.15.4'], ['4.15.0', '4.16.0'])).toEqual([
      '4.16.0–4.16.0 from 4.15',
      '4.15.4–4.15.4 from 4.15',
    ]);
  });

  it('is said once for the minors that it is the same for, and apart where it is not', () => {
    expect(ranges(['4.14.2', '4.15.1'], ['4.15.0', '4.15.1'])).toEqual(['4.15.1–4.15.1 from 4.14, 4.15']);
    expect(ranges(['4.14.2', '4.15.0'], ['4.14.2', '4.15.1'], ['4.15.0', '4.15.1'])).toEqual([
      '4.15.1–4.15.1 from 4.15',
      '4.15.0–4.15.1 from 4.14',
    ]);
  });

  it('is one range over several releases, and counts their updates', () => {
    const [risk] = risks(
      aGroup(
        [
          ['4.14.0', '4.14.1'],
          ['4.14.0', '4.14.2'],
          ['4.14.1', '4.14.2'],
        ],
        aRisk('A'),
      ),
    );
    expect(risk).toMatchObject({ name: 'A', updates: 3, ranges: [{ first: '4.14.1', last: '4.14.2' }] });
  });
});

describe('the risks of a channel', () => {
  it('come by how many updates they concern, then by name', () => {
    const found = risks(
      aGroup([['4.14.0', '4.14.1']], aRisk('C')),
      aGroup([['4.14.0', '4.14.2']], aRisk('B'), aRisk('A')),
      aGroup([['4.14.1', '4.14.2']], aRisk('B')),
    );
    expect(found.map(({ name, updates }) => `${name} ${updates}`)).toEqual(['B 2', 'A 1', 'C 1']);
  });

  it('are one by name, with everything that is said under it', () => {
    const found = risks(
      aGroup([['4.14.0', '4.14.1']], aRisk('A', { message: 'beware of 4.14.1' })),
      aGroup([['4.14.0', '4.14.2']], aRisk('A', { message: 'beware of 4.14.2' })),
    );
    expect(found).toHaveLength(1);
    expect(found[0]!.variants.map(({ message }) => message)).toEqual([
      'beware of 4.14.1',
      'beware of 4.14.2',
    ]);
    expect(found[0]!.ranges.map(inWords)).toEqual(['4.14.1–4.14.2 from 4.14']);
  });

  it('are none where every update is recommended', () => {
    expect(risks()).toEqual([]);
  });
});
