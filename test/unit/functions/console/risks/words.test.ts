import { describe, expect, it } from 'vitest';
import {
  acceptedInWords,
  type Answer,
  answerInWords,
  appliesInWords,
  basisInWords,
  hopInWords,
} from '../../../../../functions/console/risks/words.ts';

const anAnswer = (changes: Partial<Answer> = {}): Answer => ({
  applies: 'yes',
  decidedBy: ['cluster_infrastructure_provider{type="AWS"} 1'],
  source: 'facts',
  asOf: '2026-11-16T11:05:00Z',
  ...changes,
});
const BY_OWNER = { reason: 'checked', owner: 'M. Weber', until: '2027-02-01T00:00:00.000Z' };
const unknown = (changes: Partial<Answer>): Answer =>
  anAnswer({ applies: 'unknown', decidedBy: [], ...changes });

describe('words', () => {
  it.each([
    ['Applies, the platform is AWS', anAnswer()],
    ['Does not apply, the platform is AWS', anAnswer({ applies: 'no' })],
    ['Applies to every cluster', anAnswer({ decidedBy: ['Always'] })],
    [
      'Does not apply, as the cluster reports: Recommended=True (AsExpected)',
      anAnswer({ applies: 'no', source: 'cluster', decidedBy: ['Recommended=True (AsExpected)'] }),
    ],
    ['Applies, ceph_health_status 2', anAnswer({ decidedBy: ['ceph_health_status 2'] })],
    ['Unknown, the cluster cannot evaluate the query', unknown({ reason: 'EvaluationFails' })],
    [
      'Unknown, the query is not supported: sum without at 4',
      unknown({ reason: 'UnsupportedQuery', unsupported: 'sum without at 4' }),
    ],
    [
      'Unknown, send nodes and clusterserviceversions to decide it',
      unknown({
        reason: 'MissingFacts',
        missing: [
          { metric: 'a', documents: ['nodes', 'clusterserviceversions.operators.coreos.com'] },
          { metric: 'b', documents: ['nodes'] },
        ],
      }),
    ],
    [
      'Unknown, only metrics of the cluster decide it: ceph_health_status',
      unknown({ missing: [{ metric: 'ceph_health_status', documents: [] }] }),
    ],
    [
      'Unknown, the cluster’s own answer is more than a day old',
      unknown({ missing: [{ metric: 'x', documents: [] }], askedTooLongAgo: true }),
    ],
    ['Unknown', unknown({})],
    ['Applies, accepted by M. Weber until 31 Jan 2027', anAnswer({ accepted: BY_OWNER })],
    ['Does not apply, the platform is AWS', anAnswer({ applies: 'no', accepted: BY_OWNER })],
  ])('are: %s', (words, answer) => {
    // The day is in the format of the machine.
    expect(answerInWords(answer).replace('Jan 31, 2027', '31 Jan 2027')).toBe(words);
  });

  it('name who accepted, where nobody did in Cairn', () => {
    const named = { reason: null, owner: null, until: null };
    expect(acceptedInWords(named)).toBe('accepted in the settings of the cluster');
    expect(acceptedInWords({ ...named, source: 'cluster' })).toBe('accepted in the ClusterVersion');
  });

  it('have a word for each answer', () => {
    const words = (['yes', 'no', 'unknown'] as const).map((applies) => appliesInWords({ applies }));
    expect(words).toEqual(['Yes', 'No', 'Not known']);
    expect(appliesInWords({ applies: 'unknown', accepted: BY_OWNER })).toBe('Not known, accepted');
    expect(appliesInWords({ applies: 'no', accepted: BY_OWNER })).toBe('No');
  });

  it('say what an answer rests on', () => {
    expect(basisInWords(anAnswer({ asOf: null }))).toBe('');
    expect(basisInWords(anAnswer({ source: 'live' }))).toMatch(/^From metrics of the cluster of .*2026.*\.$/);
    const odd = {
      asOf: null,
      assumes: 'unchanged',
      notes: ['QueryLooksWrong', 'DisagreesWithCluster'],
    } as const;
    expect(basisInWords(unknown({ ...odd, possible: ['no', 'fails'] }))).toBe(
      'Assumes that the configuration does not change. It cannot apply, but the cluster possibly cannot evaluate it. The query looks wrong: it compares with several values by =. The documents give another answer than the cluster.',
    );
    expect(basisInWords(unknown({ asOf: null, possible: ['yes', 'no'] }))).toBe('');
  });

  it('count the risks of a hop', () => {
    const risks = (...all: Partial<Answer>[]) =>
      hopInWords(
        all.map((each, at) => ({ name: `R${at}`, url: '', message: '', ...anAnswer(each) }) as never),
      );
    const [yes, no, open] = [{}, { applies: 'no' }, { applies: 'unknown' }] as const;
    expect(risks(open, open, no, no, no)).toBe('2 of 5 risks unknown');
    expect(risks(yes, open, { accepted: BY_OWNER }, no)).toBe(
      '1 of 4 risks applies, 1 of 4 risks unknown, 1 of 4 risks accepted',
    );
    expect(risks(no, no)).toBe('None of 2 risks applies');
    expect(risks(no)).toBe('1 risk, it does not apply');
  });
});
