import type { Explanation } from '@cairn/shared/path/explain';
import type { UpgradeQuestion } from '@cairn/shared/path/question';
import compare from 'semver/functions/compare.js';
import {
  channelMinor,
  compareChannels,
  compareMinors,
  costs,
  holds,
  isPrerelease,
  isWithdrawn,
  joined,
  mayPassPrereleases,
  minorOf,
  type PlainScenario,
  prefixOf,
  PREFIXES,
  targetOf,
  versionsOf,
} from './plain-releases.ts';

const isForTesters = (channel: string): boolean => /^(candidate|prerelease)-/.test(channel);
const rankOf = (channel: string): number => PREFIXES.indexOf(prefixOf(channel));

/** Everything that is wrong with what an explanation advises, each as a line. */
export function adviceFaults(
  scenario: PlainScenario,
  question: UpgradeQuestion,
  { code, details, sharedChannel, alternatives, message, suggestion }: Explanation,
): string[] {
  const faults: string[] = [];
  const expect = (what: string, actual: unknown, expected: unknown): void => {
    const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (a !== b) faults.push(`${what}: ${a}, not ${b}`);
  };
  const { from } = question;
  const all = [...scenario.channels.keys()].toSorted(compareChannels);
  const prerelease = mayPassPrereleases(question);
  const conditions = { ...question, prerelease };
  const asked = targetOf(scenario, question);
  const isMinor = /^\d+\.\d+$/.test(question.to);
  const to = asked ?? (isMinor ? targetOf(scenario, { ...question, channels: [], prerelease }) : null);
  const both =
    to === null || to === from
      ? []
      : all.filter((name) => [from, to].every((end) => holds(scenario, name, end)));
  const preferred = PREFIXES.map((prefix) => both.filter((name) => prefixOf(name) === prefix)).find(
    (same) => same.length > 0,
  );
  const lowest = preferred?.find((name) => compareMinors(channelMinor(name), minorOf(to!)) >= 0);
  expect('shared channel', sharedChannel, lowest ?? preferred?.[0] ?? null);

  if (code === 'source_not_in_channel' || code === 'target_not_in_channel') {
    const other = code === 'source_not_in_channel' ? to : from;
    const isShared = (name: string): boolean => other !== null && holds(scenario, name, other);
    const ordered = details.channels.toSorted(
      (a, b) => Number(isShared(b)) - Number(isShared(a)) || rankOf(a) - rankOf(b) || compareChannels(a, b),
    );
    expect('channels named', details.channels, ordered);
    // Only pre-releases: of the channels asked for, if any.
    const asksFor = (name: string): boolean =>
      code === 'target_not_in_channel' && details.onlyPrereleases && question.channels.includes(name);
    const first = ordered.find(asksFor) ?? ordered[0];
    if (first !== undefined) expect('names the first', message.includes(first), true);
  }
  if (code === 'source_not_in_channel' && details.through !== null) {
    const { channel, newest } = details.through;
    if (preferred && rankOf(preferred[0]!) < rankOf(channel))
      faults.push(`through ${channel}, but ${preferred[0]} has both`);
    if (to !== null && compare(newest, to) > 0) faults.push(`through ${newest}, which is past ${to}`);
  }
  if (question.to === 'latest') return faults;

  const [first] = alternatives;
  const minor = isMinor ? question.to : minorOf(question.to);
  const leads = (name: string, version: string): boolean =>
    costs(joined(scenario, [name]), from, version, conditions).has(version);
  const isThere = (version: string): boolean => (isMinor ? minorOf(version) === minor : version === to);
  // Neither the source nor a release that a channel no longer lists is what a minor means there.
  const offers = (name: string): boolean => !isMinor || (to !== from && !isWithdrawn(scenario, to!, [name]));
  if (first?.channels.some(isForTesters)) {
    const stable = both.find((name) => !isForTesters(name) && offers(name) && leads(name, to!));
    if (stable !== undefined && alternatives.some((other) => isThere(other.to)))
      faults.push(`${first.channels.join()} is first, but ${stable} leads to ${to}`);
    const other = alternatives.find(({ channels }) => !channels.some(isForTesters));
    if (other && isThere(other.to) === isThere(first.to))
      faults.push(`${first.channels.join()} is first, not ${other.channels.join()}`);
    if (suggestion?.includes(' leads to ') && !suggestion.includes('not supported for production'))
      faults.push(`${suggestion}: without a label`);
  }
  // A version that no channel has: what is nearest to it comes first.
  const isKnown = all.some((name) => holds(scenario, name, question.to));
  if (!isMinor && !isKnown && compare(question.to, from) > 0) {
    const newest = (name: string): string | undefined =>
      versionsOf(scenario, [name])
        .filter((version) => minorOf(version) === minor && compare(version, from) > 0)
        .filter((version) => prerelease || !isPrerelease(version))
        .filter((version) => !isWithdrawn(scenario, version, [name]))
        .toSorted(compare)
        .at(-1);
    const near = all.filter((name) => holds(scenario, name, from) && !isForTesters(name) && newest(name));
    const [best] = near.toSorted(
      (a, b) => rankOf(a) - rankOf(b) || nearnessTo(minor, a) - nearnessTo(minor, b),
    );
    if (best !== undefined && leads(best, newest(best)!))
      expect('nearest first', first && minorOf(first.to), minor);
  }
  return faults;
}

/** Of two equally far minors the older one is nearer. */
function nearnessTo(minor: string, channel: string): number {
  const [wanted, own] = [minor, channelMinor(channel)].map((text) => Number(text.split('.')[1]));
  const steps = own! - wanted!;
  return steps > 0 ? steps + 0.5 : -steps;
}
