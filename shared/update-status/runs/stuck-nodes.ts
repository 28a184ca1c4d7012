import type { ClusterFacts } from '../../cluster/facts.ts';
import { matchesSelector } from '../../cluster/labels.ts';
import { CONTROL_PLANE_POOL } from '../../cluster/pools.ts';
import { listInWords } from '../../text/words.ts';
import type { Insight } from '../answer.ts';
import { withDefaults } from '../insights/references.ts';
import type { NodeProgress } from '../nodes.ts';
import { NODE_RANKS, rankOf } from '../nodes.ts';
import { type PoolProgress } from '../pools.ts';
import { clockText, isoTime, roundedSeconds } from '../times.ts';
import { later } from './progress.ts';
import type { PastRun, UpdateRun } from './run.ts';
import { samplesOfPhase, quantileOf } from './samples.ts';
import { streakOf, unpausedAt } from './waiting.ts';

/** A drain is reported before the Machine Config Operator reports it as failed, after 60 minutes. */
const STUCK_AFTER_MINUTES: Readonly<Record<string, number>> = { Draining: 45, Updating: 30, Rebooting: 20 };
const NOT_READY_MINUTES = 30;
const FEWEST_SAMPLES = 5;
const MOST_FACTOR = 3;
const MINUTE_MS = 60_000;

export interface StuckNode {
  readonly pool: string;
  readonly node: NodeProgress;
  readonly what: 'Draining' | 'Updating' | 'Rebooting' | 'Degraded' | 'NotReady';
  readonly since: number;
}

/** Entry of a node into its current phase; null if no report of the run showed it. */
export function phaseSince(run: UpdateRun, pool: string, { status }: NodeProgress): number | null {
  const rank = rankOf(status);
  const known = run.pools.find(({ name }) => name === pool)?.nodes.find(({ name }) => name === status.name);
  const entered = known?.ranks[rank] ?? null;
  // A node that was held in between has not been in its phase since its first entry.
  return entered === null || rank === 0 || status.phase === 'Updated'
    ? entered
    : later(entered, unpausedAt(run, pool));
}

/** First of the reports in a row that show the node degraded; null if the newest does not. */
export function degradedReports(run: UpdateRun, pool: string, node: string): readonly number[] {
  return streakOf(run, pool, ({ degraded }) => degraded.includes(node));
}

export function stuckNodes(
  pools: readonly PoolProgress[],
  run: UpdateRun,
  past: readonly PastRun[],
  at: number,
): StuckNode[] {
  return pools.flatMap(({ pool, nodes }) => {
    const limits = new Map(
      Object.keys(STUCK_AFTER_MINUTES).map((phase) => [phase, limitOf(phase, pool.name, run, past)]),
    );
    return nodes.flatMap((node): StuckNode[] => {
      const { phase, degraded, unavailable } = node.status;
      const stuck = (what: StuckNode['what'], since: number) => [{ pool: pool.name, node, what, since }];
      const reports = degraded ? degradedReports(run, pool.name, node.status.name) : [];
      if (reports.length > 1) return stuck('Degraded', reports[0]!);
      const limit = limits.get(phase);
      const since = phaseSince(run, pool.name, node);
      if (limit !== undefined && since !== null && at - since >= limit * MINUTE_MS) {
        return stuck(phase as StuckNode['what'], since);
      }
      const notReady = node.causes.find(({ text }) => text === 'Not ready')?.since ?? null;
      if (!unavailable || node.isUpdating || notReady === null) return [];
      return at - Date.parse(notReady) >= NOT_READY_MINUTES * MINUTE_MS
        ? stuck('NotReady', Date.parse(notReady))
        : [];
    });
  });
}

/** Minutes: pools whose nodes usually take longer have more, within limits. */
function limitOf(phase: string, pool: string, run: UpdateRun, past: readonly PastRun[]): number {
  const least = STUCK_AFTER_MINUTES[phase]!;
  const samples = samplesOfPhase(NODE_RANKS.indexOf(phase as (typeof NODE_RANKS)[number]), pool, run, past);
  if (samples.length < FEWEST_SAMPLES) return least;
  return Math.min(Math.max(least, 2 * quantileOf(samples, 0.95)), MOST_FACTOR * least);
}

export function stuckInsights(stuck: readonly StuckNode[], facts: ClusterFacts, at: number): Insight[] {
  return stuck.map(({ pool, node, what, since }) => {
    const { name, message } = node.status;
    const words: Readonly<Record<StuckNode['what'], string>> = {
      Draining: 'has been draining',
      Updating: 'has been updating',
      Rebooting: 'has been rebooting',
      Degraded: 'has been degraded',
      NotReady: 'has not been ready',
    };
    const causes = node.causes.map((cause) => cause.message).filter((text) => text !== '');
    const reason = node.node.machineConfig.reason || message || causes.join(' | ');
    return withDefaults({
      origin: 'cairn',
      type: 'NodeStuck',
      level: what === 'Degraded' ? 'Error' : 'Warning',
      impact: 'Update Stalled',
      scope: pool === CONTROL_PLANE_POOL ? 'ControlPlane' : 'WorkerPool',
      since: isoTime(since),
      message: `Node ${name} of machine config pool ${pool} ${words[what]} for ${clockText(roundedSeconds((at - since) / 1000))}`,
      description: [reason, adviceOf(what, name, facts)].filter((text) => text !== '').join('. '),
      reason: what,
      resources: [{ group: '', kind: 'Node', namespace: null, name }],
    });
  });
}

function adviceOf(what: StuckNode['what'], node: string, facts: ClusterFacts): string {
  const log = 'oc logs -n openshift-machine-config-operator deployment/machine-config-controller';
  const advice: Readonly<Record<StuckNode['what'], () => string>> = {
    Draining: () => {
      const budgets = blockingBudgets(node, facts);
      const which =
        budgets.length === 0
          ? 'Look for budgets without allowed disruptions: oc get pdb -A'
          : `Disruption budgets that allow no disruption: ${listInWords(budgets)}`;
      return `${which}. Read why the drain waits: ${log} | grep ${node}`;
    },
    Updating: () =>
      `Read the log of the machine config daemon: oc debug node/${node} -- chroot /host journalctl -u machine-config-daemon-host`,
    Rebooting: () => 'Check the console of the machine',
    Degraded: () => `Read its state with: oc describe node ${node}`,
    NotReady: () => `Check the kubelet and the machine: oc describe node ${node}`,
  };
  return advice[what]();
}

/** Budgets that keep pods on a node, as `namespace/name`; by the alerts if budgets are not reported. */
export function blockingBudgets(node: string, { budgets, drainedPods, alerts }: ClusterFacts): string[] {
  if (budgets === null) {
    const named = (alerts ?? []).filter(({ budget }) => budget !== '');
    return [...new Set(named.map(({ namespace, budget }) => `${namespace}/${budget}`))].toSorted();
  }
  return budgets
    .filter(({ disruptionsAllowed, expectedPods }) => disruptionsAllowed === 0 && expectedPods > 0)
    .filter(
      ({ namespace, selector }) =>
        drainedPods === null ||
        drainedPods.some(
          (group) =>
            group.namespace === namespace &&
            selector !== null &&
            matchesSelector(selector, group.labels) &&
            group.pods.some((pod) => pod.node === node),
        ),
    )
    .map(({ namespace, name }) => `${namespace}/${name}`)
    .toSorted();
}
