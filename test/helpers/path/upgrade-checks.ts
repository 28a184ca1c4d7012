import type { PathResult } from '@cairn/shared/path/find-path';
import type { UpgradeQuestion } from '@cairn/shared/path/question';
import type { PathStep, UpgradePath } from '@cairn/shared/path/solver/solve';
import compare from 'semver/functions/compare.js';
import { adviceFaults } from './advice-checks.ts';
import {
  channelMinor,
  compareChannels,
  compareMinors,
  concernsAll,
  type Conditions,
  costs,
  holds,
  isPermitted,
  isPrerelease,
  isWithdrawn,
  joined,
  mayPassPrereleases,
  minorOf,
  type NamedRisks,
  type PlainScenario,
  prefixOf,
  PREFIXES,
  reaching,
  targetOf,
  versionsOf,
} from './plain-releases.ts';

/** Everything that is wrong with an answer, each as a line. */
export function faultsOf(scenario: PlainScenario, question: UpgradeQuestion, answer: PathResult): string[] {
  const faults: string[] = [];
  const expect = (what: string, actual: unknown, expected: unknown): void => {
    const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (a !== b) faults.push(`${what}: ${a}, not ${b}`);
  };
  const { from } = question;
  const to = targetOf(scenario, question);
  const conditions = { ...question, prerelease: mayPassPrereleases(question) };
  const graph = joined(scenario, answer.channels);
  const code = answer.found ? 'found' : answer.explanation.code;
  expect('to', answer.to, to);
  expect('code', code, expectedCode(scenario, question, answer.channels));
  expect('source withdrawn', answer.sourceWithdrawn, isWithdrawn(scenario, from, answer.channels));
  const leftOut = question.channels.filter((name) => versionsOf(scenario, [name]).length === 0);
  expect('left out', answer.channelsLeftOut, leftOut);
  const wasSeenBefore = code === 'invalid_order' ? !mayLeadBack(scenario, question) : SEEN_BEFORE.has(code);
  const isSearched = graph.has(from) && !wasSeenBefore && to !== null;
  const conflicts = answer.conflicts.map(({ version, channel }) => `${version} ${channel}`);
  expect(
    'conflicts',
    conflicts.toSorted(),
    isSearched ? otherPayloads(scenario, answer.channels).toSorted() : [],
  );
  if (question.channels.length === 0) faults.push(...choiceFaults(scenario, question, answer));
  if (answer.found) {
    const paths = [answer.upgrade, ...answer.upgrade.alternatives];
    for (const one of paths)
      faults.push(...pathFaults(scenario, question, conditions, one, answer.channels, answer.to));
    expect('distinct paths', new Set(paths.map(wordsOf)).size, paths.length);
    expect('too many', answer.upgrade.alternatives.length > question.alternatives, false);
    if (answer.channels.length === 1)
      expect(
        'cost',
        costOf(answer.upgrade, conditions),
        costs(graph, from, answer.to, conditions).get(answer.to),
      );
    return faults;
  }

  const { explanation } = answer;
  faults.push(...adviceFaults(scenario, question, explanation));
  for (const nearby of explanation.alternatives)
    faults.push(...pathFaults(scenario, question, conditions, nearby, nearby.channels, nearby.to));
  const { length } = explanation.alternatives;
  expect('distinct alternatives', new Set(explanation.alternatives.map(wordsOf)).size, length);
  expect('more than three', length > 3, false);

  const reach = isSearched ? [...costs(graph, from, from, conditions).keys()].toSorted(compare) : [];
  expect('nearest target', explanation.nearestTarget, {
    below: reach.findLast((version) => version !== from && compare(version, to!) < 0) ?? null,
    above: reach.find((version) => version !== from && compare(version, to!) > 0) ?? null,
  });
  if (explanation.code === 'no_recommended_path' || explanation.code === 'risks_not_accepted') {
    const { path, risks, always, firstBlocked } = explanation.details;
    const withAll = { ...conditions, risk: 'all', prefer: 'safest' } as const;
    faults.push(...pathFaults(scenario, question, withAll, path, answer.channels, to!));
    expect('safest', costOf(path, withAll), costs(graph, from, to!, withAll).get(to!));
    const named = path.path.flatMap(({ hop }) => hop?.risks ?? []);
    expect('risks', risks, [...new Set(named.map(({ name }) => name))].toSorted());
    const isAlways = (name: string): boolean => named.some((risk) => risk.name === name && concernsAll(risk));
    expect('always', always, risks.filter(isAlways));
    const blocked = path.path.findIndex(({ hop }) => hop !== null && !isPermitted(risksOf(hop), question));
    expect('blocked', firstBlocked, {
      from: path.path[blocked - 1]!.version,
      to: path.path[blocked]!.version,
      risks: path.path[blocked]!.hop!.risks.map(({ name }) => name).toSorted(),
    });
  }
  if (explanation.code === 'target_not_in_channel') {
    const { channels, onlyPrereleases } = explanation.details;
    const all = [...scenario.channels.keys()].toSorted(compareChannels);
    const isMeant = (version: string, name: string): boolean =>
      to === null
        ? minorOf(version) === question.to && !isWithdrawn(scenario, version, [name])
        : version === to;
    const holders = all.filter((name) =>
      versionsOf(scenario, [name]).some((version) => isMeant(version, name)),
    );
    expect('channels', channels.toSorted(compareChannels), holders);
    const meant = question.channels.length > 0 ? question.channels : all;
    const isOnly = to === null && meant.some((name) => holders.includes(name));
    expect('only pre-releases', onlyPrereleases, isOnly);
    if (onlyPrereleases)
      expect('allowed', targetOf(scenario, { ...question, prerelease: true })?.includes('-'), true);
  }
  if (explanation.code === 'source_has_no_updates') {
    const newest = [...graph.keys()].toSorted(compare).at(-1);
    const withdrawn = isWithdrawn(scenario, from, answer.channels);
    expect('details', explanation.details, { isNewest: newest === from, withdrawn });
  }
  if (explanation.code === 'disconnected') {
    const first = /^only clusters from (\S+) on get to/.exec(explanation.suggestion ?? '')?.[1];
    expect('move back', first !== undefined && compare(first, from) < 0, false);
    const gateways = [...Map.groupBy(reaching(graph, from, to!, conditions), minorOf)];
    expect('details', explanation.details, {
      farthest: [
        ...new Map(
          reach.filter((version) => version !== from).map((version) => [minorOf(version), version]),
        ).values(),
      ],
      gateways: gateways.map(([minor, same]) => ({
        minor,
        oldest: same[0],
        newest: same.at(-1),
        count: same.length,
      })),
      targetWithdrawn: isWithdrawn(scenario, to!, answer.channels),
    });
  }
  return faults;
}

/** Codes that need no graph. */
const SEEN_BEFORE = new Set<string>([
  'channel_unknown',
  'channel_empty',
  'arch_unavailable',
  'source_not_in_channel',
]);

/** The first of the table of codes that applies, when these are the channels that were searched. */
function expectedCode(
  scenario: PlainScenario,
  question: UpgradeQuestion,
  searched: readonly string[],
): string {
  const { from, to: asked, channels: named } = question;
  const isMinor = /^\d+\.\d+$/.test(asked);
  const all = [...scenario.channels.keys()];
  const meant = named.length > 0 ? all.filter((name) => named.includes(name)) : all;
  if (isMinor && compareMinors(asked, minorOf(from)) < 0) return 'invalid_order';
  const isBack = !isMinor && asked !== 'latest' && compare(asked, from) < 0;
  if (isBack && !mayLeadBack(scenario, question)) return 'invalid_order';
  if (named.length > 0 && versionsOf(scenario, meant).length === 0) {
    const isSynced = meant.some((name) => !scenario.neverSynced.includes(name));
    return isSynced ? 'channel_empty' : 'channel_unknown';
  }
  const isKnown = (version: string): boolean => all.some((name) => holds(scenario, name, version));
  const ends = isMinor || asked === 'latest' ? [from] : [from, asked];
  if (ends.some((end) => !isKnown(end) && scenario.elsewhere.includes(end))) return 'arch_unavailable';
  if (!meant.some((name) => holds(scenario, name, from))) return 'source_not_in_channel';

  const to = targetOf(scenario, question);
  const graph = joined(scenario, searched);
  if (to === null || !graph.has(to)) return 'target_not_in_channel';
  const conditions = { ...question, prerelease: mayPassPrereleases(question) };
  if (costs(graph, from, to, conditions).has(to)) return 'found';
  if (costs(graph, from, to, { ...conditions, risk: 'all' }).has(to))
    return question.risk === 'accept' ? 'risks_not_accepted' : 'no_recommended_path';
  if (isBack) return 'invalid_order';
  return graph.get(from)!.size === 0 ? 'source_has_no_updates' : 'disconnected';
}

/** Whether both ends are in channels that are searched together, so that an update may lead back. */
function mayLeadBack(scenario: PlainScenario, { from, to, channels }: UpgradeQuestion): boolean {
  const all = [...scenario.channels.keys()];
  const areTogether = (names: readonly string[]): boolean =>
    [from, to].every((end) => names.some((name) => holds(scenario, name, end)));
  return channels.length > 0
    ? areTogether(all.filter((name) => channels.includes(name)))
    : all.some((name) => areTogether([name]));
}

/** Whether a question without channels went to the right ones. */
function choiceFaults(scenario: PlainScenario, question: UpgradeQuestion, answer: PathResult): string[] {
  const { from } = question;
  const { to } = answer;
  if (to === null || compare(to, from) < 0) return [];
  const conditions = { ...question, prerelease: mayPassPrereleases(question) };
  const both = [...scenario.channels.keys()]
    .filter((name) => holds(scenario, name, from) && holds(scenario, name, to))
    .toSorted(compareChannels);
  const cost = (name: string): number =>
    costs(joined(scenario, [name]), from, to, conditions).get(to) ?? Infinity;
  const faults: string[] = [];
  const compared = PREFIXES.flatMap((prefix) => {
    const same = both.filter((name) => prefixOf(name) === prefix);
    return same.find((name) => compareMinors(channelMinor(name), minorOf(to)) >= 0) ?? same.slice(0, 1);
  }).slice(0, 4);
  // The choice reads at most four graphs.
  const tried = [...new Set([...compared, ...both])].slice(0, 4);
  const solved = tried.filter((name) => cost(name) < Infinity);
  if (!answer.found && solved.length > 0) faults.push(`no path, but ${solved.join()} has one`);
  if (answer.found && answer.channels.length === 1) {
    const own = costOf(answer.upgrade, conditions);
    const rank = (name: string): number => PREFIXES.indexOf(prefixOf(name));
    // A lower rank is chosen for fewer risks only.
    const cheaper = compared.filter((name) => cost(name) < own && rank(name) <= rank(answer.channels[0]!));
    if (cheaper.length > 0)
      faults.push(`${answer.channels.join()} was chosen, but ${cheaper.join()} is cheaper`);
    const first = compared.find((name) => cost(name) === own);
    // A channel of a higher rank may be chosen although it was not compared.
    if (first !== undefined && first !== answer.channels[0] && rank(first) <= rank(answer.channels[0]!))
      faults.push(`${answer.channels.join()} was chosen, but ${first} is as cheap and preferred`);
  }
  const isMissing = !answer.found && answer.explanation.code === 'target_not_in_channel';
  if (isMissing && isLinked(scenario, from, to))
    faults.push(`channels lead to ${to}, but it is called missing`);
  return faults;
}

/** Every version that a channel has under another payload than the first that has it. */
function otherPayloads(scenario: PlainScenario, channels: readonly string[]): string[] {
  const first = new Map<string, string>();
  return channels.flatMap((name) =>
    scenario.channels.get(name)!.nodes.flatMap(({ version, payload }) => {
      first.set(version, first.get(version) ?? payload);
      return first.get(version) === payload ? [] : [`${version} ${name}`];
    }),
  );
}

/** Whether channels that share versions lead from one version to another. */
function isLinked(scenario: PlainScenario, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const version of seen) {
    if (compare(version, from) < 0 || compare(version, to) > 0) continue;
    for (const { nodes } of scenario.channels.values()) {
      if (nodes.some((node) => node.version === version)) for (const node of nodes) seen.add(node.version);
    }
  }
  return seen.has(to);
}

function pathFaults(
  scenario: PlainScenario,
  asked: UpgradeQuestion,
  conditions: Conditions,
  { path, stats, channelPlan }: UpgradePath,
  channels: readonly string[],
  to: string,
): string[] {
  const versions = path.map(({ version }) => version);
  const fault = (text: string): string => `${versions.join(' > ')}: ${text}`;
  const faults: string[] = [];
  if (versions[0] !== asked.from || versions.at(-1) !== to) faults.push(fault(`does not lead to ${to}`));
  const targets = asked.to === to ? versions.slice(1, -1) : versions.slice(1);
  if (!conditions.prerelease && targets.some(isPrerelease)) faults.push(fault('takes a pre-release'));
  const plan = [...channelPlan];
  for (const [at, { version, hop }] of path.entries()) {
    if (hop === null) continue;
    const risks = risksOf(hop);
    const offers = channels.filter((name) => isHopOf(scenario, name, path[at - 1]!, path[at]!));
    const named = offers.flatMap((name) => [
      ...joined(scenario, [name])
        .get(versions[at - 1]!)!
        .get(version)!
        .keys(),
    ]);
    if (named.some((name) => !risks.has(name))) faults.push(fault('a risk is not told'));
    if (!isPermitted(risks, conditions)) faults.push(fault(`${[...risks.keys()].join()} is not accepted`));
    if (!offers.includes(plan[0]?.channel ?? '')) faults.push(fault(`the plan does not get to ${version}`));
    if (plan[0]?.untilVersion === version) plan.shift();
  }
  if (plan.length > 0) faults.push(fault('the plan goes on'));
  const risky = path.filter(({ hop }) => hop?.conditional).length;
  if (stats.hops !== path.length - 1 || stats.riskyHops !== risky) faults.push(fault('counts'));
  return faults;
}

/** Whether the channel has both releases as they are on the path, and an update between them. */
function isHopOf(scenario: PlainScenario, name: string, before: PathStep, step: PathStep): boolean {
  const isRelease = ({ version, payload }: PathStep): boolean =>
    scenario.channels.get(name)!.nodes.some((node) => node.version === version && node.payload === payload);
  const updates = joined(scenario, [name]).get(before.version);
  return isRelease(before) && isRelease(step) && updates!.has(step.version);
}

function wordsOf({ path }: UpgradePath): string {
  return path.map(({ version }) => version).join(' ');
}

function risksOf(hop: NonNullable<PathStep['hop']>): NamedRisks {
  return new Map(hop.risks.map((risk) => [risk.name, concernsAll(risk)]));
}

function costOf({ stats }: UpgradePath, { prefer }: Conditions): number {
  return prefer === 'safest' ? stats.riskyHops * 1000 + stats.hops : stats.hops * 1000 + stats.riskyHops;
}
