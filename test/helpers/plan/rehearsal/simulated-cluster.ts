import type { ClusterCondition, ClusterFacts, NodeFacts, PoolFacts } from '@cairn/shared/cluster/facts';
import { poolOfNodes } from '@cairn/shared/cluster/pools';
import { aCondition, historyOf } from '../../cluster/clusters.ts';
import { changePool, setConditions } from '../../cluster/flaws.ts';
import {
  isHostedCluster,
  isMaster,
  isMember,
  isTrue,
  kubeletMinor,
  kubeletOf,
  ordinalOfCluster,
  ordinalOfVersion,
  reasonsAgainstMinor,
  REQUIRED_POOLS,
  withReports,
} from '../../cluster/release-reports.ts';
import { payloadOf } from '../../path/answers.ts';

/** A step that a cluster refuses, or that never ends. */
export class Stuck extends Error {}

/** How an update is asked for: `--to` or `--to-image`, with flags. */
export interface UpdateRequest {
  readonly by: 'version' | 'image' | 'hosted cluster';
  /** Version, or pull spec. */
  readonly target: string;
  readonly flags: ReadonlySet<string>;
}

/** Most minors that node pools may be behind a hosted control plane. */
const HOSTED_LIMIT = 3;
/** First minor that accepts patches while overrides are set. */
const PATCHES_WITH_OVERRIDES = 22;

/** Cluster that reacts to commands as a real one: it refuses updates, and waits that cannot end throw `Stuck`. */
export class SimulatedCluster {
  #facts: ClusterFacts;
  readonly #route: readonly string[];
  readonly #risky: readonly boolean[];
  readonly #mirrored = new Set<string>();
  #backedUp: string | null = null;
  #hasAcceptedRisks = false;
  /** An update that was asked for, not one from before. */
  #hasStarted = false;

  /** `risky` has the conditional updates of the route, by hop. */
  constructor(facts: ClusterFacts, route: readonly string[], risky: readonly boolean[]) {
    this.#facts = withReports(facts);
    this.#route = route;
    this.#risky = risky;
  }

  get facts(): ClusterFacts {
    return this.#facts;
  }

  get version(): string {
    return this.#facts.clusterVersion!.desired.version;
  }

  get isCompleted(): boolean {
    return this.#facts.clusterVersion!.history[0]?.state === 'Completed';
  }

  /** Operators and gates report about the new facts at once. */
  change(changes: Partial<ClusterFacts>): void {
    this.#facts = withReports({ ...this.#facts, ...changes });
  }

  /** A change that brings a new configuration for every node. */
  reconfigure(changes: Partial<ClusterFacts>): void {
    this.#expectSuspension('nodes that get a new configuration');
    const pools = this.#facts.pools && this.#facts.pools.map((pool) => this.#rendered(pool));
    this.change({ ...changes, pools });
  }

  mirror(version: string): void {
    this.#mirrored.add(version);
  }

  acceptRisks(): void {
    this.#hasAcceptedRisks = true;
  }

  backUp(node: string): void {
    const found = this.#facts.nodes!.find(({ name }) => name === node);
    if (!found || !isMaster(found)) throw new Stuck(`${node} is not a control plane node`);
    if (found.ready !== 'True') throw new Stuck(`${node} is not ready, so it cannot back up etcd`);
    this.#backedUp = this.version;
  }

  setChannel(channel: string, isExplicit: boolean): void {
    const clusterVersion = this.#facts.clusterVersion!;
    const { channels } = clusterVersion.desired;
    if (channels.length > 0 && !channels.includes(channel) && !isExplicit && !isHostedCluster(this.#facts)) {
      throw new Stuck(`oc refuses channel ${channel}, which ${this.version} does not list`);
    }
    this.change({ clusterVersion: { ...clusterVersion, channel } });
  }

  startUpdate(request: UpdateRequest): void {
    const to =
      request.by === 'version'
        ? request.target
        : (this.#route.find((version) => payloadOf(version) === request.target) ?? request.target);
    const at = this.#route.indexOf(to);
    if (at <= 0 || this.#route[at - 1] !== this.version) {
      throw new Stuck(`${to} is not the next release after ${this.version}`);
    }
    const refusal = this.#refusal(to, this.#risky[at - 1] === true, request);
    if (refusal !== null) throw new Stuck(`the update to ${to} is refused: ${refusal}`);
    this.#expectSuspension('nodes of the control plane');
    this.#hasStarted = true;
    const clusterVersion = this.#facts.clusterVersion!;
    const image = payloadOf(to);
    this.#hasAcceptedRisks = false;
    this.change({
      clusterVersion: {
        ...clusterVersion,
        desired: { version: to, image, channels: [] },
        history: [{ ...historyOf(`${to} P`)[0]!, image }, ...clusterVersion.history],
        conditions: withStatus(clusterVersion.conditions, 'Progressing', 'True'),
      },
    });
  }

  /** A health check replaces a node that is away for its reboot. */
  #expectSuspension(rebooting: string): void {
    const active = (this.#facts.healthChecks ?? []).filter(({ isPaused }) => !isPaused);
    if (active.length > 0) throw new Stuck(`${active[0]!.name} would replace ${rebooting}, which reboot`);
  }

  #refusal(to: string, isRisky: boolean, { by, flags }: UpdateRequest): string | null {
    const { conditions, unmanagedOverrides } = this.#facts.clusterVersion!;
    const isMinor = ordinalOfVersion(to) > ordinalOfCluster(this.#facts);
    const against = isMinor ? reasonsAgainstMinor(this.#facts) : [];
    if (against.length > 0) return against.join(', ');
    if (unmanagedOverrides.length > 0 && ordinalOfCluster(this.#facts) < PATCHES_WITH_OVERRIDES) {
      return 'overrides are set';
    }
    if (by === 'hosted cluster') return this.#hostedRefusal(to);
    if (isTrue(conditions, 'Invalid')) return 'the ClusterVersion is invalid';
    if (this.#readyMembers * 2 <= this.#members.length) return 'the API server has no quorum';
    const isBusy = isTrue(conditions, 'Progressing') || isTrue(conditions, 'Failing');
    if (isBusy && !flags.has('--allow-upgrade-with-warnings'))
      return 'another update is in progress or failing';
    if (isRisky && !this.#hasAcceptedRisks) return 'nobody accepted its risks';
    if (isRisky && !flags.has('--allow-not-recommended')) return 'it is not recommended';
    if (isMinor && this.#backedUp !== this.version) return `there is no backup of ${this.version}`;
    return by === 'image' ? this.#imageRefusal(to, flags) : this.#serviceRefusal(to);
  }

  #hostedRefusal(to: string): string | null {
    const late = this.#facts.nodes!.filter(
      (node) => ordinalOfVersion(to) + 13 - kubeletMinor(node) > HOSTED_LIMIT,
    );
    return late.length === 0 ? null : `${late.length} nodes of node pools would be too old`;
  }

  #imageRefusal(to: string, flags: ReadonlySet<string>): string | null {
    if (!flags.has('--allow-explicit-upgrade')) return 'the image is not one of the available updates';
    return this.#hasService || this.#mirrored.has(to) ? null : 'its signature is not known';
  }

  #serviceRefusal(to: string): string | null {
    if (!this.#hasService) return 'the cluster has no update service';
    const { channel } = this.#facts.clusterVersion!;
    const offered = ordinalOfVersion((channel ?? '').split('-')[1] ?? '') - ordinalOfVersion(to);
    return offered === 0 || offered === 1 ? null : `channel ${channel} does not have it`;
  }

  get #hasService(): boolean {
    return isTrue(this.#facts.clusterVersion!.conditions, 'RetrievedUpdates');
  }

  get #members(): readonly NodeFacts[] {
    return this.#facts.nodes!.filter(isMember);
  }

  get #readyMembers(): number {
    return this.#members.filter(({ ready }) => ready === 'True').length;
  }

  /** Waits for the update in progress, and for the operators. */
  settle(): void {
    const broken = this.#facts.clusterOperators!.filter(
      ({ conditions }) => !isTrue(conditions, 'Available') || isTrue(conditions, 'Degraded'),
    );
    if (broken.length > 0) {
      throw new Stuck(`operators never get stable: ${broken.map(({ name }) => name).join(', ')}`);
    }
    if (this.isCompleted) return;
    for (const { name, paused, conditions } of this.#requiredPools) {
      if (paused) throw new Stuck(`the update never completes, because pool ${name} is paused`);
      if (isTrue(conditions, 'Degraded')) {
        throw new Stuck(`the update never completes, because pool ${name} is degraded`);
      }
    }
    this.#complete();
  }

  get #requiredPools(): readonly PoolFacts[] {
    return (this.#facts.pools ?? []).filter(({ name }) => REQUIRED_POOLS.includes(name));
  }

  #complete(): void {
    if (this.#hasStarted) this.#expectSuspension('nodes of the control plane');
    const { clusterVersion, pools } = this.#facts;
    const [newest, ...older] = clusterVersion!.history;
    const ended = withStatus(clusterVersion!.conditions, 'Progressing', 'False');
    this.change({
      clusterVersion: {
        ...clusterVersion!,
        history: [{ ...newest!, state: 'Completed' }, ...older],
        conditions: withStatus(ended, 'Failing', 'False'),
      },
      pools: pools && pools.map((pool) => this.#rendered(pool)),
    });
    for (const { name } of this.#requiredPools) this.#roll(name);
  }

  /** A new release brings a new configuration, which paused pools do not roll out. */
  #rendered(pool: PoolFacts): PoolFacts {
    const isEmpty = pool.machines.total === 0;
    return {
      ...pool,
      ...(isEmpty ? {} : setConditions(pool, { Updated: 'False', Updating: pool.paused ? 'False' : 'True' })),
      configuration: { ...pool.configuration, wanted: `rendered-${pool.name}-${this.version}` },
      machines: { ...pool.machines, updated: 0 },
    };
  }

  #poolOf(name: string): PoolFacts {
    const pool = this.#facts.pools?.find((each) => each.name === name);
    if (!pool) throw new Stuck(`there is no pool ${name}`);
    return pool;
  }

  setPaused(name: string, paused: boolean): void {
    const { machines } = this.#poolOf(name);
    const isOld = machines.updated < machines.total;
    if (!paused && (isOld || !this.isCompleted)) this.#expectSuspension(`nodes of pool ${name}`);
    this.change(
      changePool(this.#facts, name, (pool) => ({
        paused,
        ...(isOld && setConditions(pool, { Updating: paused ? 'False' : 'True' })),
      })),
    );
  }

  /** Waits until all machines of a pool are updated. */
  waitForPool(name: string): void {
    const pool = this.#poolOf(name);
    if (pool.paused) throw new Stuck(`pool ${name} is paused, so the wait for it never ends`);
    if (isTrue(pool.conditions, 'Degraded')) {
      throw new Stuck(`pool ${name} is degraded, so the wait for it never ends`);
    }
    const members = this.#membersOf(name);
    const away = members.filter((node) => node.ready !== 'True' || node.unschedulable);
    if (away.length > mostAway(pool)) {
      throw new Stuck(
        `pool ${name} never rolls out: ${away.map((node) => node.name).join(', ')} unavailable`,
      );
    }
    const isOld = pool.machines.updated < pool.machines.total;
    if (isOld) this.#expectSuspension(`nodes of pool ${name}`);
    const hanging = isOld ? this.#hangingObjects(members) : [];
    if (hanging.length > 0) throw new Stuck(`drains of pool ${name} hang on ${hanging.join(', ')}`);
    this.#roll(name);
  }

  #membersOf(name: string): NodeFacts[] {
    const { nodes, pools } = this.#facts;
    const poolOf = poolOfNodes(nodes!, pools ?? []);
    return nodes!.filter((node) => poolOf.get(node.name) === name);
  }

  /** Budgets without room, pods of two budgets, and virtual machines that cannot move. */
  #hangingObjects(members: readonly NodeFacts[]): string[] {
    const names = new Set(members.map(({ name }) => name));
    const { budgets, drainedPods, virtualMachines } = this.#facts;
    const groups = (drainedPods ?? []).filter(({ pods }) => pods.some(({ node }) => names.has(node)));
    const hangingGroups = groups.filter(({ namespace, labels }) => {
      const own = (budgets ?? []).filter(
        (budget) => budget.namespace === namespace && budget.selector?.matchLabels['app'] === labels['app'],
      );
      return own.length > 1 || own.some(({ disruptionsAllowed }) => disruptionsAllowed === 0);
    });
    const stuck = (virtualMachines ?? []).filter(({ node }) => names.has(node));
    return [...hangingGroups.map(({ labels }) => labels['app'] ?? ''), ...stuck.map(({ name }) => name)];
  }

  #roll(name: string): void {
    this.#updateKubelets(new Set(this.#membersOf(name).map((node) => node.name)));
    this.change(
      changePool(this.#facts, name, (pool) => ({
        ...setConditions(pool, { Updated: 'True', Updating: 'False' }),
        configuration: { ...pool.configuration, current: pool.configuration.wanted },
        machines: { ...pool.machines, updated: pool.machines.total },
      })),
    );
  }

  /** Node pools of a hosted cluster. */
  rollNodePools(image: string): void {
    this.#expectSuspension('nodes of node pools');
    if (image !== payloadOf(this.version)) throw new Stuck(`node pools would not get ${this.version}`);
    this.#updateKubelets(new Set(this.#facts.nodes!.map(({ name }) => name)));
  }

  #updateKubelets(names: ReadonlySet<string>): void {
    const kubeletVersion = kubeletOf(ordinalOfCluster(this.#facts));
    const updated = { kubeletVersion, containerRuntimeVersion: `cri-o://${kubeletVersion.slice(1)}` };
    this.change({
      nodes: this.#facts.nodes!.map((node) => (names.has(node.name) ? { ...node, ...updated } : node)),
    });
  }
}

function mostAway({ maxUnavailable, machines }: PoolFacts): number {
  const share = /^(\d+)%$/.exec(String(maxUnavailable))?.[1];
  return share === undefined
    ? Number(maxUnavailable)
    : Math.max(1, Math.floor((machines.total * Number(share)) / 100));
}

function withStatus(
  conditions: readonly ClusterCondition[],
  type: string,
  status: string,
): readonly ClusterCondition[] {
  return [...conditions.filter((each) => each.type !== type), aCondition(type, status)];
}
