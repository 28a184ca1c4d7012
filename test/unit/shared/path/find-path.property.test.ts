import { findPath, type PathResult } from '@cairn/shared/path/find-path';
import type { UpgradeQuestion } from '@cairn/shared/path/question';
import { REASON_CODES, PATH_RISK_MODES } from '@cairn/shared/path/values';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aGroup, anAnswer, aRisk, graphOf, payloadOf, type Answer } from '../../../helpers/path/answers.ts';
import type { PlainAnswer, PlainScenario } from '../../../helpers/path/plain-releases.ts';
import { releases, type DrawnReleases } from '../../../helpers/path/releases.ts';
import { faultsOf } from '../../../helpers/path/upgrade-checks.ts';
import { sized } from '../../../helpers/size.ts';

const NAMES = ['stable-4.1', 'fast-4.1', 'stable-4.2', 'eus-4.2', 'candidate-4.2', 'stable-4.3'];
const VERSIONS = ['4.1.0', '4.1.1', '4.1.2', '4.2.0-rc.1', '4.2.0', '4.2.1', '4.3.0-rc.1', '4.3.0'];
const ELSEWHERE = '4.2.7';
const UNKNOWN = '4.1.9';
const RISKS = [aRisk('A'), aRisk('B'), aRisk('C'), aRisk('D', { matchingRules: [{ type: 'Always' }] })];

interface DrawnChannel {
  readonly name: string;
  readonly answer: Answer;
  readonly withdrawn: readonly string[];
  readonly isNeverSynced: boolean;
}

/** No loops: edges lead on in the order of the versions, which now and then are shuffled, so that some lead backward. */
const channel = fc
  .record({
    versions: fc.oneof(
      { weight: 5, arbitrary: fc.subarray(VERSIONS, { minLength: 4, maxLength: 6 }) },
      // Many channels with the same versions, so that there is one to choose.
      { weight: 5, arbitrary: fc.constant(VERSIONS.filter((version) => !version.includes('-'))) },
      { weight: 1, arbitrary: fc.shuffledSubarray(VERSIONS, { maxLength: 6 }) },
      { weight: 1, arbitrary: fc.constant<string[]>([]) },
    ),
    edges: fc.array(
      fc.tuple(
        fc.nat(5),
        fc.nat(5),
        fc.option(fc.subarray(RISKS, { minLength: 1, maxLength: 2 }), { freq: 2 }),
      ),
      { minLength: 6, maxLength: 16 },
    ),
    withdrawn: fc.array(fc.nat(5), { maxLength: 3 }),
    otherPayload: fc.nat(30),
    isNeverSynced: fc.boolean(),
  })
  .map(({ versions, edges, withdrawn, otherPayload, isNeverSynced }): Omit<DrawnChannel, 'name'> => {
    const drawn = new Map<string, readonly [string, string, typeof RISKS | null]>();
    for (const [a, b, risks] of edges) {
      const [from, to] = [versions[Math.min(a, b)], versions[Math.max(a, b)]];
      if (from !== undefined && to !== undefined && from !== to)
        drawn.set(`${from} ${to}`, [from, to, risks]);
    }
    const all = [...drawn.values()];
    const answer = anAnswer(
      versions,
      all.flatMap(([from, to, risks]) => (risks === null ? [[from, to] as const] : [])),
      all.flatMap(([from, to, risks]) => (risks === null ? [] : [aGroup([[from, to]], ...risks)])),
    );
    const conflicting = answer.nodes[otherPayload];
    if (conflicting) conflicting.payload = payloadOf('another');
    return {
      answer,
      withdrawn: versions.filter((_, at) => withdrawn.includes(at)),
      isNeverSynced: isNeverSynced && versions.length === 0,
    };
  });

const channels: fc.Arbitrary<DrawnChannel[]> = fc
  .tuple(
    fc.shuffledSubarray(NAMES, { minLength: 1, maxLength: 5 }),
    fc.array(channel, { minLength: 5, maxLength: 5 }),
  )
  .map(([names, drawn]) => names.map((name, at) => ({ name, ...drawn[at]! })));

const question: fc.Arbitrary<Omit<UpgradeQuestion, 'channels'>> = fc.record({
  from: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('4.1.0', '4.1.1', '4.1.2') },
    { weight: 3, arbitrary: fc.constantFrom(...VERSIONS) },
    { weight: 1, arbitrary: fc.constantFrom(ELSEWHERE, UNKNOWN) },
  ),
  to: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...VERSIONS) },
    { weight: 3, arbitrary: fc.constantFrom('4.2.0', '4.2.1', '4.3.0') },
    { weight: 3, arbitrary: fc.constantFrom('4.0', '4.1', '4.2', '4.3', '4.4') },
    { weight: 3, arbitrary: fc.constant('latest') },
    { weight: 1, arbitrary: fc.constantFrom(ELSEWHERE, UNKNOWN) },
  ),
  risk: fc.constantFrom(...PATH_RISK_MODES, 'all' as const),
  acceptedRisks: fc.subarray(['A', 'B', 'D']),
  prefer: fc.constantFrom('safest' as const, 'shortest' as const),
  prerelease: fc.option(fc.boolean(), { nil: undefined }),
  alternatives: fc.constantFrom(0, 1, 2, 3),
});

/** Channels and a question that names some of them, none, or now and then one that is not followed. */
const scenario: fc.Arbitrary<[DrawnChannel[], UpgradeQuestion]> = fc
  .tuple(channels, question, fc.option(fc.array(fc.nat(19), { minLength: 1, maxLength: 3 }), { freq: 3 }))
  .map(([drawn, asked, named]) => {
    const nameAt = (at: number): string => (at === 19 ? 'stable-4.9' : drawn[at % drawn.length]!.name);
    return [drawn, { ...asked, channels: [...new Set(named?.map(nameAt))] }];
  });

function followed(drawn: readonly DrawnChannel[]): DrawnReleases {
  return releases(Object.fromEntries(drawn.map(({ name, answer }) => [name, graphOf(answer)])), {
    elsewhere: { arm64: { 'stable-4.2': [`4.2.0 > ${ELSEWHERE}`] } },
    withdrawn: Object.fromEntries(drawn.map(({ name, withdrawn }) => [name, withdrawn])),
    neverSynced: drawn.filter(({ isNeverSynced }) => isNeverSynced).map(({ name }) => name),
  });
}

function plainScenario(drawn: readonly DrawnChannel[]): PlainScenario {
  return {
    channels: new Map(drawn.map(({ name, answer }) => [name, answer as unknown as PlainAnswer])),
    withdrawn: Object.fromEntries(drawn.map(({ name, withdrawn }) => [name, withdrawn])),
    neverSynced: drawn.filter(({ isNeverSynced }) => isNeverSynced).map(({ name }) => name),
    elsewhere: ['4.2.0', ELSEWHERE],
  };
}

/** The names that would have to be accepted, as the explanation has it; null when that would not help. */
function namesToAccept(answer: PathResult, asked: UpgradeQuestion): readonly string[] | null {
  if (answer.found) return null;
  const { code, details } = answer.explanation;
  if (code === 'no_recommended_path') return details.risks;
  return code === 'risks_not_accepted' ? [...asked.acceptedRisks!, ...details.missing] : null;
}

/** The same channels in another order, and so are the nodes, edges and groups of each. */
function shuffled(drawn: readonly DrawnChannel[], order: readonly number[]): DrawnChannel[] {
  const shuffle = <T>(list: readonly T[]): T[] =>
    list
      .map((item, at) => ({ item, key: order[at % order.length]! }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ item }) => item);
  return shuffle(drawn).map(({ answer, ...rest }) => {
    const nodes = shuffle(answer.nodes);
    const place = (at: number): number => nodes.indexOf(answer.nodes[at]!);
    const edges = shuffle(answer.edges).map(([from, to]): [number, number] => [place(from), place(to)]);
    const conditionalEdges = shuffle(answer.conditionalEdges).map((group) => ({
      ...group,
      risks: group.risks.toReversed(),
    }));
    return { ...rest, answer: { version: 1, nodes, edges, conditionalEdges } };
  });
}

describe('upgrades', () => {
  it('are what the plainest reading of the channels allows, or explained by the first reason that applies', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(scenario, async ([drawn, asked]) => {
        const known = followed(drawn);
        const answer = await findPath(asked, known);
        const outcome = answer.found ? 'found' : answer.explanation.code;
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
        expect(faultsOf(plainScenario(drawn), asked, answer)).toEqual([]);
        const names = namesToAccept(answer, asked);
        if (names === null) return;
        const accepting = { ...asked, risk: 'accept', acceptedRisks: names } as const;
        expect(await findPath(accepting, known)).toMatchObject({ found: true });
      }),
      { numRuns: sized(100, 4000) },
    );
    // Otherwise the generator has drifted off and the property says little. A few draws meet not all of them;
    // find-path-excluded.test.ts draws exclusions.
    const drawable = REASON_CODES.filter((code) => code !== 'excluded');
    const rare = ['found', ...drawable].filter((outcome) => (seen.get(outcome) ?? 0) < sized(0, 10));
    expect(rare).toEqual([]);
  });

  it('are the same bytes whatever the order of channels, nodes, edges and groups', async () => {
    const order = fc.array(fc.nat(1000), { minLength: 3, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(scenario, order, async ([drawn, asked], keys) => {
        const answers = [drawn, shuffled(drawn, keys)].map((one) => findPath(asked, followed(one)));
        const [first, second] = (await Promise.all(answers)).map((answer) => JSON.stringify(answer));
        expect(second).toBe(first);
      }),
      { numRuns: sized(100, 1000) },
    );
  });
});
