import { collectCommands } from '../../../cluster/document-kinds.ts';
import type { HostedClusterFacts, NodePoolFacts } from '../../../cluster/hosted/facts.ts';
import { excerpt, shellWord } from '../../../text/quote.ts';
import { countInWords, listInWords, namesInWords } from '../../../text/words.ts';
import { minorOf } from '../../../version/minor.ts';
import { kubernetesMinorOf, ordinalOf } from '../../../version/release-line.ts';
import { compareVersions, type ReleaseVersion } from '../../../version/release-version.ts';
import { type Finding, asExpected, type Check, finding, inputMissing } from '../../condition.ts';
import {
  activeVersions,
  hostedClusterOf,
  hostedCommand,
  isReconciliationPaused,
  poolVersions,
  type VersionSpan,
} from '../../evidence/hosted.ts';
import { entersMinor, type Hop, type HopContext } from '../../hop.ts';
import { kubeletLimit } from '../../tables/kubelet-limits.ts';

const TYPE = 'HostedSkew';

interface PoolState {
  readonly pool: NodePoolFacts;
  /** Releases of its nodes at the start of the hop; null if they are not known. */
  readonly versions: VersionSpan | null;
}

/** A node pool is at most as new as the control plane, and not too many minors older. */
export const hostedSkew: Check = (context) => {
  const hosted = hostedClusterOf(context.facts);
  if (hosted === null) return [];
  const { nodePools } = context.facts;
  if (nodePools === null) return [inputMissing(TYPE, 'the node pools were', collectCommands('nodePools'))];
  const states = nodePools
    .filter(({ replicas }) => replicas !== 0)
    .map((pool): PoolState => ({ pool, versions: versionsByThen(pool, context) }));
  const { planned, stuck } = tooOldAfter(states, context);
  const findings = [
    ...(context.hop.index === 0 ? today(states, hosted, context) : []),
    ...found('NodePoolTooOldAfterHop', stuck, {
      message: tooOldText(stuck, 'would be', context.hop.to, context),
      remediation: rollAdvice(stuck, hosted, context.hop.from),
    }),
    ...unknownVersions(states),
  ];
  if (findings.length > 0) return findings;
  return [planned.length > 0 ? plannedRoll(planned, context) : fitting(states, context)];
};

/** A pool too old for an earlier hop was updated before it, if the plan can do that. */
function versionsByThen(pool: NodePoolFacts, context: HopContext): VersionSpan | null {
  const { hop, hops } = context;
  return hops
    .slice(0, hop.index)
    .reduce(
      (versions, earlier) =>
        versions && isTooOldAfter(versions.oldest, earlier, context) && canRoll(pool, context)
          ? { oldest: earlier.from, newest: earlier.from }
          : versions,
      poolVersions(pool),
    );
}

function canRoll(pool: NodePoolFacts, { now }: HopContext): boolean {
  return !isReconciliationPaused(pool, now);
}

function limitOf(oldest: ReleaseVersion, server: ReleaseVersion, { options }: HopContext): number {
  return kubeletLimit(options.policy, server, kubernetesMinorOf(oldest).minor);
}

function isTooOld(oldest: ReleaseVersion, server: ReleaseVersion, context: HopContext): boolean {
  return ordinalOf(server) - ordinalOf(oldest) > limitOf(oldest, server, context);
}

function isTooOldAfter(oldest: ReleaseVersion, hop: Hop, context: HopContext): boolean {
  return ordinalOf(hop.to) > ordinalOf(hop.from) && isTooOld(oldest, hop.to, context);
}

/** Skew between the pools and all versions of the control plane that can run now. */
function today(states: readonly PoolState[], hosted: HostedClusterFacts, context: HopContext): Finding[] {
  const active = activeVersions(hosted) ?? { oldest: context.hop.from, newest: context.hop.from };
  const newer = states.filter(
    ({ versions }) => versions && compareVersions(versions.newest, active.oldest) > 0,
  );
  const tooOld = states.filter(
    ({ versions }) => versions && isTooOld(versions.oldest, active.newest, context),
  );
  const computed = new Set([...newer, ...tooOld].map(({ pool }) => pool));
  return [
    ...found('NodePoolNewer', newer, {
      message: `${sentence(poolsInWords(newer))} ${isOrAre(newer)} newer than the control plane, which runs ${active.oldest.raw}`,
      remediation: [`Update the control plane to the version of ${poolsInWords(newer)} first`],
    }),
    ...found('NodePoolTooOld', tooOld, {
      message: tooOldText(tooOld, isOrAre(tooOld), active.newest, context),
      // No pool may be newer than any version that the control plane runs.
      remediation: rollAdvice(tooOld, hosted, active.oldest),
    }),
    ...states.filter(({ pool }) => !computed.has(pool)).flatMap(reported),
  ];
}

/** The operator can know a rule that the versions do not show. */
function reported(state: PoolState): Finding[] {
  const condition = state.pool.conditions.find(({ type }) => type === 'SupportedVersionSkew');
  if (condition?.status !== 'False') return [];
  const { message, since } = condition;
  const said = excerpt(message) || 'its version does not fit the control plane';
  return found('SupportedVersionSkew', [state], {
    message: `Node pool ${state.pool.name} reports: ${said}`,
    remediation: [hostedCommand(state.pool, `describe nodepool ${shellWord(state.pool.name)}`)],
  }).map((each) => ({ ...each, origin: 'reported', ...(since !== null && { since }) }));
}

/** Before the first hop the pools are too old today; before later ones the plan updates those that it can. */
function tooOldAfter(states: readonly PoolState[], context: HopContext) {
  const { hop } = context;
  const tooOld = states.filter(({ versions }) => versions && isTooOldAfter(versions.oldest, hop, context));
  const planned = tooOld.filter(({ pool }) => hop.index > 0 && canRoll(pool, context));
  return { planned, stuck: tooOld.filter((state) => !planned.includes(state)) };
}

function plannedRoll(planned: readonly PoolState[], { hop }: HopContext): Finding {
  return asExpected(TYPE, `The plan updates ${poolsInWords(planned)} to ${hop.from.raw} before this hop`);
}

function unknownVersions(states: readonly PoolState[]): Finding[] {
  const unknown = states.filter(({ versions }) => versions === null).map(({ pool }) => pool.name);
  if (unknown.length === 0) return [];
  const what = unknown.length === 1 ? 'the version of node pool' : 'the versions of node pools';
  return [
    inputMissing(
      TYPE,
      `${what} ${namesInWords(unknown)} ${unknown.length === 1 ? 'was' : 'were'}`,
      collectCommands('nodePools'),
    ),
  ];
}

function found(
  reason: string,
  states: readonly PoolState[],
  { message, remediation }: { readonly message: string; readonly remediation: readonly string[] },
): Finding[] {
  if (states.length === 0) return [];
  return [
    {
      ...finding({ type: TYPE, status: 'False', reason, message, effect: 'block' }),
      objects: states.map(({ pool, versions }) => ({
        kind: 'NodePool',
        namespace: pool.namespace,
        name: pool.name,
        detail: { ...(versions && { oldest: versions.oldest.raw, newest: versions.newest.raw }) },
      })),
      remediation,
    },
  ];
}

function tooOldText(
  states: readonly PoolState[],
  verb: string,
  server: ReleaseVersion,
  context: HopContext,
): string {
  const [first] = states;
  const limit = first?.versions ? limitOf(first.versions.oldest, server, context) : 0;
  return `${sentence(poolsInWords(states))} ${verb} more than ${countInWords(limit, 'minor')} behind ${minorOf(server)}; the HyperShift operator sets this limit, not the hosted cluster`;
}

function isOrAre(states: readonly PoolState[]): string {
  return states.length === 1 ? 'is' : 'are';
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function rollAdvice(
  states: readonly PoolState[],
  hosted: HostedClusterFacts,
  server: ReleaseVersion,
): readonly string[] {
  return [
    `Update ${poolsInWords(states)} to ${server.raw}`,
    hostedCommand(hosted, `get nodepools ${states.map(({ pool }) => shellWord(pool.name)).join(' ')}`),
  ];
}

/** `node pool workers (4.18.10)` */
function poolsInWords(states: readonly PoolState[]): string {
  const names = states
    .map(({ pool, versions }) => `${pool.name}${versions ? ` (${versions.oldest.raw})` : ''}`)
    .toSorted();
  return `node ${names.length === 1 ? 'pool' : 'pools'} ${listInWords(names)}`;
}

function fitting(states: readonly PoolState[], { hop }: HopContext): Finding {
  if (states.length === 0) return asExpected(TYPE, 'The hosted cluster has no node pool with nodes');
  const what = states.length === 1 ? 'The node pool fits' : `All ${states.length} node pools fit`;
  return asExpected(TYPE, `${what} ${entersMinor(hop) ? minorOf(hop.to) : hop.to.raw}`);
}
