import { Random } from '../random.ts';
import { type Arrival, everyFive, reportsAt } from './reporting.ts';
import { type SimulatedUpdate, simulateUpdate } from './simulator.ts';
import { knownBefore, type Service, SERVICE, type WatchedCluster } from './watched-cluster.ts';

interface Member {
  readonly update: SimulatedUpdate;
  readonly arrivals: readonly Arrival[];
  /** Minute up to which the cluster is watched. */
  readonly until: number;
}

/** Clusters of which each has another trouble, by what happens to it. */
export const FLEET: Readonly<Record<string, () => Member>> = {
  'all is well': () => inOrder(simulateUpdate(), everyFive(0, 100)),
  'a drain hangs for 100 minutes': () =>
    inOrder(simulateUpdate({ drains: { 'worker-002': 100 } }), everyFive(0, 200)),
  'a node never comes back': () => inOrder(simulateUpdate({ lost: ['worker-001'] }), everyFive(0, 150)),
  'an operator takes 90 minutes': () =>
    inOrder(simulateUpdate({ slowOperator: { index: 5, minutes: 90 } }), everyFive(0, 200)),
  'a node is degraded for a while': () =>
    inOrder(simulateUpdate({ degraded: { node: 'worker-005', from: 40, to: 60 } }), everyFive(0, 100)),
  'a pool is paused midway': () =>
    inOrder(simulateUpdate({ pools: [{ name: 'worker', nodes: 6, paused: [45, 180] }] }), everyFive(0, 250)),
  'it falls silent': () => inOrder(simulateUpdate(), [...everyFive(0, 40), ...everyFive(150, 160)]),
  'a single node reboots for 50 minutes': () =>
    inOrder(simulateUpdate({ masters: 1, pools: [], phases: [4, 2, 50] }), [
      ...everyFive(0, 30),
      ...everyFive(85, 95),
    ]),
  'reports have no nodes': () => {
    const update = simulateUpdate();
    const { arrivals, ...member } = inOrder(update, everyFive(0, 100));
    const isPiece = (index: number) => index % 2 === 1;
    const piece = (arrival: Arrival) => ({ ...arrival, facts: { ...arrival.facts, nodes: null } });
    return { ...member, arrivals: arrivals.map((one, index) => (isPiece(index) ? piece(one) : one)) };
  },
  'another update supersedes it': () => {
    const first = simulateUpdate({ drains: { 'worker-001': Infinity } });
    const second = simulateUpdate({
      start: first.time(200),
      from: '4.14.1',
      to: '4.14.2',
      history: first.facts(190).clusterVersion!.history,
    });
    const arrivals = [...reportsAt(first, everyFive(0, 150)), ...reportsAt(second, everyFive(0, 100))];
    return { update: first, arrivals, until: 300 };
  },
  'reports are lost, doubled and late': () => {
    const update = simulateUpdate({ drains: { 'worker-002': 200 } });
    const random = new Random(3);
    const arrivals = everyFive(0, 350)
      .filter((minute) => minute % 60 === 0 || random.chance(0.8))
      .flatMap((minute) => [minute, minute].slice(random.below(2)))
      .map((minute) => ({ minute, received: minute + random.below(6) }))
      .toSorted((a, b) => a.received - b.received)
      .map(({ minute, received }) => ({ facts: update.facts(minute), receivedAt: update.time(received) }));
    return { update, arrivals, until: 360 };
  },
  '100 reports of 60 nodes come in any order': () => {
    const update = simulateUpdate({ pools: [{ name: 'worker', nodes: 57, atOnce: 3 }] });
    const random = new Random(5);
    const whole = update.end + 15;
    const arrivals = Array.from({ length: 100 }, (_, index) => Math.floor((index * whole) / 99))
      .flatMap((minute) => [minute, minute].slice(random.below(2)))
      .map((minute) => ({ minute, place: random.next() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ minute }, index) => ({
        facts: update.facts(minute),
        receivedAt: update.time(whole + index / 10),
      }));
    return { update, arrivals, until: whole + 20 };
  },
};

function inOrder(update: SimulatedUpdate, minutes: readonly number[]): Member {
  return { update, arrivals: reportsAt(update, minutes), until: minutes.at(-1)! + 10 };
}

/** News, states and durations of a cluster of the fleet, with minutes of its update in the place of times. */
export function chronicleOf(name: string, service: Service = SERVICE) {
  const { update, arrivals, until } = FLEET[name]!();
  const watched = knownBefore(update, service);
  for (const arrival of arrivals) watched.take(arrival);
  watched.wait(Date.parse(update.time(until)));
  return {
    news: newsOf(watched, update),
    states: statesOf(watched, update).join(', '),
    took: tookOf(watched).join(', '),
  };
}

function newsOf({ ids }: WatchedCluster, { startedAt }: SimulatedUpdate): string[] {
  return ids.map((id) => id.replace(new Date(startedAt).toISOString(), 'START'));
}

/** Minutes of the control plane and of the whole of each update, as all reports prove them. */
function tookOf({ record }: WatchedCluster): string[] {
  return record!.runs.recent.map(({ version, beganAt, controlPlaneCompletedAt, completedAt }) => {
    const minutes = [controlPlaneCompletedAt, completedAt].map((end) =>
      end === null ? '-' : (end - beganAt) / 60_000,
    );
    return `${version} ${minutes.join(' ')}`;
  });
}

function statesOf({ states }: WatchedCluster, { startedAt }: SimulatedUpdate): string[] {
  const begin = Date.parse(startedAt);
  return states
    .filter(({ at }) => at >= begin)
    .map(({ at, state }) => `${state} ${Math.floor((at - begin) / 60_000)}`);
}
