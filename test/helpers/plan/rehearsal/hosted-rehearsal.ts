import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { HostedClusterFacts, NodePoolFacts } from '@cairn/shared/cluster/hosted/facts';
import { planUpgrade } from '@cairn/shared/plan/plan';
import type { PlanStep } from '@cairn/shared/plan/run-sheet/step';
import { CHECKS } from '@cairn/shared/safety/evaluate';
import { STRATEGIES } from '@cairn/shared/safety/values';
import { ALL_SUPPORTED, historyOf, NOW } from '../../cluster/clusters.ts';
import { answerOn } from '../../cluster/consistent-clusters.ts';
import { OPTIONS } from '../../cluster/evaluations.ts';
import { aHostedCluster, aNodePool, hostedFacts } from '../../cluster/hosted.ts';
import { minorName, ordinalOfVersion } from '../../cluster/release-reports.ts';
import { payloadOf } from '../../path/answers.ts';
import { Random } from '../../random.ts';
import { commandsOf, isUpdate } from '../plan-outlines.ts';
import { Stuck } from './simulated-cluster.ts';

/** Hosted cluster `clusters/guest`, as its management cluster sees it. */
export interface HostedShape {
  readonly route: readonly string[];
  /** Minors that each node pool is behind. */
  readonly behind: readonly number[];
  /** The HyperShift operator reports the control plane on its own. */
  readonly hasControlPlaneHistory: boolean;
  readonly strategy: (typeof STRATEGIES)[number];
}

export type HostedEdit = (steps: readonly PlanStep[]) => readonly PlanStep[];

/** The operator supports these. */
const [FIRST, LAST] = [18, 23];
/** Most minors that a node pool may be behind its control plane. */
const MOST_BEHIND = 3;

export function seededHosted(seed: number): HostedShape {
  const random = new Random(seed);
  const ordinal = FIRST + random.below(LAST - FIRST);
  const minors = Math.min(1 + random.below(4), LAST - ordinal);
  const hasPatch = random.chance(0.3);
  return {
    route: [
      `${minorName(ordinal)}.10`,
      ...(hasPatch ? [`${minorName(ordinal)}.15`] : []),
      ...Array.from({ length: minors }, (_, index) => `${minorName(ordinal + index + 1)}.10`),
    ],
    behind: Array.from({ length: 1 + random.below(3) }, () =>
      random.below(Math.min(MOST_BEHIND, ordinal - FIRST) + 1),
    ),
    hasControlPlaneHistory: random.chance(0.5),
    strategy: random.pick(STRATEGIES),
  };
}

/** Reacts to `oc patch` and `oc wait` on the management cluster, and refuses what HyperShift refuses. */
class SimulatedHost {
  hosted: HostedClusterFacts;
  pools: readonly NodePoolFacts[];
  readonly #route: readonly string[];

  constructor({ route, behind, hasControlPlaneHistory }: HostedShape) {
    const [version = ''] = route;
    this.#route = route;
    this.hosted = aHostedCluster(
      hasControlPlaneHistory ? { controlPlaneHistory: historyOf(`${version} C`) } : {},
      version,
    );
    this.pools = behind.map((minors, index) => {
      const old = `${minorName(ordinalOfVersion(version) - minors)}.5`;
      return aNodePool(`pool-${index}`, minors === 0 ? version : old);
    });
  }

  get facts(): ClusterFacts {
    return hostedFacts(this.hosted, this.pools);
  }

  get version(): string {
    return this.hosted.version.desired.version;
  }

  run(command: string): void {
    const [, kind, name = '', content = ''] =
      /^oc -n clusters patch (hostedcluster|nodepool) (\S+) --type=merge -p '(.+)'$/.exec(command) ?? [];
    if (kind !== undefined) return this.#patch(kind, name, content);
    const [, history, field, value] =
      /^oc -n clusters wait hostedcluster\/guest --for=jsonpath='\{\.status\.(\w+)\.history\[0\]\.(\w+)\}'=(\S+) --timeout=[1-9]\d*m$/.exec(
        command,
      ) ?? [];
    if (history !== undefined) return this.#wait(history, field!, value!);
    const [, pool, version] =
      /^oc -n clusters wait nodepool\/(\S+) --for=(?:jsonpath='\{\.status\.version\}'=(\S+)|condition=UpdatingVersion=False) --timeout=[1-9]\d*m$/.exec(
        command,
      ) ?? [];
    if (pool !== undefined) {
      const found = this.pools.find((each) => each.name === pool);
      if (!found) throw new Stuck(`there is no node pool ${pool}`);
      if (version !== undefined && found.version !== version)
        throw new Stuck(`${pool} never gets ${version}`);
      return;
    }
    if (!/^oc (?:-n \S+ )?get [^|;&]*$/.test(command))
      throw new Stuck(`not a command of hosted run sheets: ${command}`);
  }

  #patch(kind: string, name: string, content: string): void {
    const { channel, release } = (
      JSON.parse(content) as { spec: { channel?: string; release?: { image: string } } }
    ).spec;
    if (channel !== undefined) this.hosted = { ...this.hosted, channel };
    if (release === undefined) return;
    const version = this.#route.find((each) => payloadOf(each) === release.image);
    if (version === undefined) throw new Stuck(`${release.image} is no release of the path`);
    if (kind === 'nodepool') this.#rollPool(name, version);
    else this.#update(version, release.image);
  }

  #rollPool(name: string, version: string): void {
    if (version !== this.version)
      throw new Stuck(`${name} would get ${version} with a control plane at ${this.version}`);
    if (!this.pools.some((pool) => pool.name === name)) throw new Stuck(`there is no node pool ${name}`);
    this.pools = this.pools.map((pool) =>
      pool.name === name ? { ...pool, version, nodeVersions: [{ version, ready: 3, unready: 0 }] } : pool,
    );
  }

  /** The new release is Partial until it is waited for. */
  #update(version: string, image: string): void {
    if (this.#route.indexOf(version) !== this.#route.indexOf(this.version) + 1) {
      throw new Stuck(`${version} is not the next release after ${this.version}`);
    }
    if (this.hosted.version.history[0]?.state !== 'Completed')
      throw new Stuck('another update is in progress');
    const late = this.pools.filter(
      (pool) => ordinalOfVersion(version) - ordinalOfVersion(pool.version) > MOST_BEHIND,
    );
    if (late.length > 0) throw new Stuck(`${late[0]!.name} would be too old for ${version}`);
    const { version: status, controlPlaneHistory } = this.hosted;
    const entry = { ...historyOf(`${version} P`)[0]!, image };
    this.hosted = {
      ...this.hosted,
      image,
      version: {
        ...status,
        desired: { ...status.desired, version, image },
        history: [entry, ...status.history],
      },
      controlPlaneHistory: controlPlaneHistory && [entry, ...controlPlaneHistory],
    };
  }

  #wait(history: string, field: string, value: string): void {
    const isSeparate = this.hosted.controlPlaneHistory !== null;
    if ((history === 'controlPlaneVersion') !== isSeparate) throw new Stuck(`there is no history ${history}`);
    if (field === 'version' && value !== this.version)
      throw new Stuck(`the history never begins with ${value}`);
    if (field !== 'state') return;
    const completed = <T extends { readonly state: string }>([newest, ...older]: readonly T[]) =>
      [{ ...newest!, state: 'Completed' }, ...older] as T[];
    const { version, controlPlaneHistory } = this.hosted;
    this.hosted = {
      ...this.hosted,
      version: { ...version, history: completed(version.history) },
      controlPlaneHistory: controlPlaneHistory && completed(controlPlaneHistory),
    };
  }
}

/** First problem of the run sheet, or null if the control plane and all node pools reach the target. */
export function rehearseHosted(shape: HostedShape, edit: HostedEdit = (steps) => steps): string | null {
  const host = new SimulatedHost(shape);
  const target = shape.route.at(-1)!;
  for (const step of edit(planOf(shape, host, shape.route).plan.steps)) {
    try {
      if (isUpdate(step)) passChecks(shape, host);
      // Steps inside the hosted cluster need its own kubeconfig, and a person.
      if (step.where !== 'hosted' && step.kind !== 'check')
        for (const command of commandsOf(step)) host.run(command);
      if (step.kind === 'verify' && host.hosted.version.history[0]?.state !== 'Completed') {
        throw new Stuck(`${host.version} is not Completed`);
      }
    } catch (error) {
      if (error instanceof Stuck) return `${step.id} "${step.text}": ${error.message}`;
      throw error;
    }
  }
  const late = host.pools.filter(({ version }) => version !== target);
  if (host.version !== target) return `the control plane is at ${host.version}, not at ${target}`;
  return late.length === 0 ? null : `node pool ${late[0]!.name} is at ${late[0]!.version}`;
}

function planOf(shape: HostedShape, host: SimulatedHost, versions: readonly string[]) {
  return planUpgrade({
    facts: host.facts,
    basis: 'reported',
    checks: CHECKS,
    answer: answerOn(versions),
    options: { ...OPTIONS, strategy: shape.strategy },
    now: NOW,
    pausedSince: new Map(),
    fleetMedian: null,
    newestPatch: null,
    windows: null,
    calendar: ALL_SUPPORTED,
    targetReason: null,
  });
}

/** A plan of now has no blocker for the next hop. */
function passChecks(shape: HostedShape, host: SimulatedHost): void {
  const [next] = planOf(shape, host, shape.route.slice(shape.route.indexOf(host.version))).hops;
  const blockers = next!.conditions.filter(({ effect, accepted }) => effect === 'block' && !accepted);
  if (blockers.length > 0)
    throw new Stuck(`a new plan is blocked: ${blockers.map(({ reason }) => reason).join(', ')}`);
}
