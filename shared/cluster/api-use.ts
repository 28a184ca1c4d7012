import type { InputValue } from '../input/input-value.ts';
import { parseMinor } from '../version/minor.ts';
import type { ApiUseFacts, ApiUser } from './facts.ts';

const ANYBODY = 'a user';
const HOURS = 24;
const NAME = /"name"\s*:\s*"([^"\\]*)"/g;

/** Skips parsing: a cluster reports on more than a thousand APIs, and nearly all of them stay. */
export function mayGoAway(text: string, isLookedFor: (name: string) => boolean): boolean {
  // Escapes can spell a key differently.
  if (text.includes('"removedInRelease"') || text.includes('\\u')) return true;
  const names = Array.from(text.matchAll(NAME), ([, name]) => name!);
  return names.length === 0 || names.some(isLookedFor);
}

/** Null for an API that stays. Without `usernames`, people count as one user: only their number matters. */
export function readApiUse(
  object: InputValue,
  isRemovedApi: (name: string) => boolean,
  { usernames, collectedAt }: { readonly usernames: boolean; readonly collectedAt: string | undefined },
): ApiUseFacts | null {
  const name = object.at('metadata', 'name').text();
  const status = object.at('status');
  const removed = status.at('removedInRelease');
  const removedInRelease = parseMinor(removed.text());
  if (removedInRelease === null) {
    if (removed.text() !== '') removed.mismatch('a Kubernetes minor such as 1.22');
    if (!isRemovedApi(name)) return null;
  }
  const hours = status.at('last24h').items();
  if (hours.length > HOURS) status.at('last24h').mismatch(`at most ${HOURS} hours`);
  const counts = hours.map((hour) => hour.at('requestCount').count());
  const users = new ApiUsers(usernames);
  if (hours.length === 0) {
    users.add(status.at('currentHour'), null);
  } else {
    const now =
      hourOf(collectedAt) ?? currentHourIn(counts, status.at('currentHour', 'requestCount').count());
    // Oldest to newest, so that the last occurrence of a user wins.
    for (let age = HOURS - 1; age >= 0; age--) {
      const hour = (now - age + HOURS) % HOURS;
      if (hours[hour] !== undefined) users.add(hours[hour], hour);
    }
  }
  return {
    name,
    removedInRelease,
    requests:
      hours.length === 0 ? status.at('requestCount').count() : counts.reduce((sum, count) => sum + count, 0),
    users: users.inOrder(),
  };
}

function hourOf(time = ''): number | null {
  const moment = Date.parse(time);
  return Number.isNaN(moment) ? null : new Date(moment).getUTCHours();
}

/** Entries are by hour of the day. The current hour shows only in the separate entry that repeats its count. */
function currentHourIn(counts: readonly number[], current: number): number {
  const index = current === 0 ? -1 : counts.indexOf(current);
  return index >= 0 && index === counts.lastIndexOf(current) ? index : HOURS - 1;
}

class ApiUsers {
  readonly #usernames: boolean;
  readonly #users = new Map<
    string,
    { username: string; agents: Set<string>; verbs: Set<string>; requests: number; lastHour: number | null }
  >();

  constructor(usernames: boolean) {
    this.#usernames = usernames;
  }

  /** Hours have to come in their order. */
  add(hour: InputValue, lastHour: number | null): void {
    for (const node of hour.at('byNode').items()) {
      for (const entry of node.at('byUser').items()) {
        const given = entry.at('username').text();
        // Service accounts and cluster components are no people.
        const isNamed = this.#usernames || given.startsWith('system:');
        const username = isNamed ? given : ANYBODY;
        const agent = entry.at('userAgent').text();
        const key = isNamed ? `${username}\0${agent}` : ANYBODY;
        const user = this.#users.get(key) ?? {
          username,
          agents: new Set(),
          verbs: new Set(),
          requests: 0,
          lastHour,
        };
        user.agents.add(agent);
        user.requests += entry.at('requestCount').count();
        user.lastHour = lastHour;
        for (const verb of entry.at('byVerb').items()) user.verbs.add(verb.at('verb').text());
        this.#users.set(key, user);
      }
    }
  }

  inOrder(): ApiUser[] {
    return Array.from(this.#users.values(), ({ username, agents, verbs, requests, lastHour }) => {
      const [userAgent = ''] = agents;
      // People are merged; the user agent is kept if all share it.
      return {
        username,
        userAgent: agents.size === 1 ? userAgent : '',
        requests,
        verbs: [...verbs].toSorted(),
        lastHour,
      };
    }).toSorted((a, b) => b.requests - a.requests || (keyOf(a) < keyOf(b) ? -1 : 1));
  }
}

function keyOf({ username, userAgent }: ApiUser): string {
  return `${username}\0${userAgent}`;
}
