import { findDefaultTarget } from '@cairn/shared/path/default-target';
import { findPath, type PathResult } from '@cairn/shared/path/find-path';
import type { UpgradeQuestion } from '@cairn/shared/path/question';
import { PATH_RISK_MODES } from '@cairn/shared/path/values';
import { compareMinors, type Minor, minorOf } from '@cairn/shared/version/minor';
import { isPrerelease, mustParseVersion } from '@cairn/shared/version/release-version';
import compare from 'semver/functions/compare.js';
import { describe, expect, it } from 'vitest';
import { graphOf } from '../../helpers/path/answers.ts';
import { CALENDAR } from '../../helpers/path/builders.ts';
import type { PlainAnswer, PlainScenario } from '../../helpers/path/plain-releases.ts';
import { ask, releases } from '../../helpers/path/releases.ts';
import { faultsOf } from '../../helpers/path/upgrade-checks.ts';
import { listRecordedPairs } from '../../helpers/upstream/cincinnati-stub.ts';
import {
  isRecordedDataPresent,
  readRecorded,
  RECORDED_UPSTREAM,
} from '../../helpers/upstream/recorded-data.ts';

if (!isRecordedDataPresent)
  console.log('recorded graphs are not at ../shared/data: upgrades in them are not tested');

function recordedChannels(): Map<string, PlainAnswer> {
  const names = listRecordedPairs(RECORDED_UPSTREAM).filter(({ arch }) => arch === 'amd64');
  return new Map(
    names.map(({ channel }) => [channel, JSON.parse(readRecorded(channel, 'amd64')) as PlainAnswer]),
  );
}

/** Small numbers that look drawn, the same on every run. */
function numbers(): (bound: number) => number {
  let state = 1;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

describe.skipIf(!isRecordedDataPresent)('upgrades in recorded graphs', () => {
  const scenario: PlainScenario = {
    channels: isRecordedDataPresent ? recordedChannels() : new Map(),
    withdrawn: {},
    neverSynced: [],
    elsewhere: [],
  };
  const known = releases(
    Object.fromEntries([...scenario.channels].map(([name, answer]) => [name, graphOf(answer)])),
  );
  const planOf = (answer: PathResult): string[] =>
    answer.found ? answer.upgrade.channelPlan.map(({ channel }) => channel) : [answer.explanation.message];

  it('4.6 to 4.10 takes eus-4.8, then eus-4.10', async () => {
    expect(planOf(await ask(known, '4.6.1', '4.10'))).toEqual(['eus-4.8', 'eus-4.10']);
  });

  it.each([
    ['4.12', '4.14'],
    ['4.14', '4.16'],
    ['4.16', '4.18'],
  ])('%s to %s takes one channel, from every release of it', async (minor, to) => {
    const { versions } = known.directory.get(`eus-${to}`)!;
    const sources = versions.filter((version) => minorOf(version) === minor && !isPrerelease(version));
    const plans = new Set<string>();
    for (const { raw } of sources) plans.add(planOf(await ask(known, raw, to)).join(', '));
    expect(sources.length).toBeGreaterThan(60);
    expect([...plans].toSorted()).toEqual([`eus-${to}`, `stable-${to}`]);
  });

  it.each<[Minor, Minor]>([
    ...Array.from({ length: 14 }, (_, at): [Minor, Minor] => [`4.${at + 2}`, '4.16']),
    ['4.16', '4.18'],
    ['4.17', '4.18'],
    ['4.18', '4.20'],
    ['4.19', '4.20'],
    ['4.20', '4.22'],
    ['4.21', '4.22'],
    ['4.22', '4.22'],
  ])('the default target of the stable releases of %s is the newest release of %s', async (minor, end) => {
    const channel = `stable-${minor}`;
    const versions = known.directory.get(channel)!.versions.filter((version) => minorOf(version) === minor);
    const released = versions.filter((version) => !isPrerelease(version));
    expect(released.length).toBeGreaterThan(0);
    // Old minors have long paths.
    const asked = compareMinors(minor, '4.12') < 0 ? released.filter((_, at) => at % 9 === 0) : released;
    const newest = known.directory.newest([`stable-${end}`, `eus-${end}`], {
      minor: end,
      prerelease: false,
    })!;
    const question = { channel, channels: [], calendar: CALENDAR, risk: 'none', alternatives: 0 } as const;
    const faults: string[] = [];
    for (const current of asked) {
      const found = await findDefaultTarget({ ...question, current }, known);
      const { channels, to } = found.answer;
      // A fast channel has a newer one, and is used where no stable or eus channel leads there.
      const isFast = channels.some((name) => name.startsWith('fast'));
      const isRight =
        found.minor === end && found.answer.found && (isFast ? compare(to!, newest) > 0 : to === newest);
      if (!isRight || channels.some((name) => name.startsWith('candidate'))) {
        faults.push(`${current.raw} ${found.minor} ${to} ${channels.join(' ')} ${found.reason}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it('the oldest stable release leads to the newest, one minor after the other', async () => {
    const stable = known.directory.channels.filter(({ prefix }) => prefix === 'stable');
    const names = stable.map(({ name }) => name);
    const [oldest] = known.directory.versionsOf(names);
    const newest = mustParseVersion(known.directory.newest(names, { prerelease: false })!);
    const answer = await ask(known, oldest!.raw, newest.raw);
    const minorsCrossed = newest.minor - oldest!.minor;
    expect(answer).toMatchObject({ found: true, upgrade: { stats: { minorsCrossed, riskyHops: 0 } } });
    expect(minorsCrossed).toBeGreaterThan(20);
  });

  it('150 questions are answered as the plainest reading of the graphs allows', async () => {
    const below = numbers();
    const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
    const names = [...scenario.channels.keys()];
    const risks = [...new Set(known.directory.channels.flatMap(({ indexed }) => indexed.risks))];
    const faults: string[] = [];
    const seen = new Map<string, number>();
    for (let question = 0; question < 150; question++) {
      const channel = pick(names);
      const near = scenario.channels.get(channel)!.nodes.map(({ version }) => version);
      const [one, other] = [pick(near), pick(below(4) > 0 ? near : known.directory.versions)];
      // A step back is no question that there is much to say about.
      const [from, to] = below(8) > 0 ? [one, other].toSorted(compare) : [one, other];
      const asked: UpgradeQuestion = {
        from: from!,
        to: below(4) > 0 ? to! : pick(['latest', minorOf(mustParseVersion(to!))]),
        channels: pick([[], [], [channel], [channel, pick(names)]]),
        risk: pick(PATH_RISK_MODES),
        acceptedRisks: risks.filter(() => below(2) > 0),
        prefer: pick(['safest', 'shortest'] as const),
        alternatives: pick([0, 3] as const),
      };
      known.read.length = 0;
      const answer = await findPath(asked, known);
      const outcome = answer.found ? 'found' : answer.explanation.code;
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      const name = `${asked.from} > ${asked.to} in ${asked.channels.join()}, ${asked.risk}`;
      const graphs = new Set(known.read).size;
      if (graphs > mostGraphs(asked, answer)) faults.push(`${name}: ${graphs} graphs were read`);
      faults.push(...faultsOf(scenario, asked, answer).map((fault) => `${name}: ${fault}`));
    }
    expect(faults).toEqual([]);
    expect(seen.get('found')).toBeGreaterThan(60);
    expect([...seen.keys()].toSorted()).toEqual([
      'disconnected',
      'found',
      'invalid_order',
      'no_recommended_path',
      'risks_not_accepted',
      'source_has_no_updates',
      'source_not_in_channel',
      'target_not_in_channel',
    ]);
  });

  /** Those that were asked for; else four to compare or to find alternatives in, and a row from one end to the other. */
  function mostGraphs({ from, channels }: UpgradeQuestion, answer: PathResult): number {
    const { found, to } = answer;
    if (found && channels.length > 0) return channels.length;
    // Nothing leads there, and more channels were searched for something that does.
    if (!found && channels.length === 0) return 4 + 16 + 22;
    const [first, last] = [from, to ?? from].map((version) => minorOf(mustParseVersion(version)));
    const row = known.directory.channels.filter(
      ({ prefix, minor }) =>
        prefix === 'candidate' && compareMinors(minor, first!) >= 0 && compareMinors(minor, last!) <= 0,
    );
    return 4 + Math.max(channels.length, row.length);
  }
});
