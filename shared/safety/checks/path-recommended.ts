import type { ClusterVersionFacts } from '../../cluster/facts.ts';
import type { Hop as PathHop } from '../../path/solver/solve.ts';
import { listInWords, namesInWords } from '../../text/words.ts';
import {
  type ConditionObject,
  type Finding,
  asExpected,
  finding,
  inputMissing,
  type Check,
} from '../condition.ts';
import type { Hop } from '../hop.ts';

const TYPE = 'PathRecommended';
const RISK = 'ConditionalUpdateRisk';

type EvaluatedUpdate = ClusterVersionFacts['conditionalUpdates'][number];

/** The update graph covers every hop. The cluster covers the first one and has evaluated whether its risks apply. */
export const pathRecommended: Check = ({ facts: { clusterVersion }, hop }) => {
  if (hop.updateType === 'same') return [asExpected(TYPE, `The cluster is at ${hop.to.raw}`)];
  const isOwn = hop.index === 0 && clusterVersion?.desired.version === hop.from.raw;
  const own = isOwn ? clusterVersion : null;
  const evaluated = own?.conditionalUpdates.find(({ version }) => version === hop.to.raw);
  const { update } = hop;
  if (evaluated && hasTriedAll(evaluated, update)) return [triedByCluster(hop, evaluated)];
  if (update) return [saidByGraph(hop, update)];
  if (own) return [saidByCluster(hop, own)];
  if (clusterVersion === null) {
    return [inputMissing(TYPE, 'the ClusterVersion was', ['oc get clusterversion -o json'])];
  }
  const message = `Only known once the cluster is at ${hop.from.raw}, because the path is not one of our graph`;
  return [finding({ type: TYPE, status: 'Unknown', reason: 'NotReachedYet', message, effect: 'info' })];
};

/** For assumed facts: risks to read before a conditional update. */
export const risksToRead: Check = ({ hop }) => {
  const { update } = hop;
  if (!update?.conditional) return [];
  const remediation = update.risks.map(({ name, message }) => `Risk ${name}: ${message}`);
  return [{ ...saidByGraph(hop, update), remediation }];
};

/** Risks declared after the cluster's evaluation still need a warning. */
function hasTriedAll(evaluated: EvaluatedUpdate, update: PathHop | null): boolean {
  const tried = new Set(evaluated.risks);
  return (update?.risks ?? []).every(({ name }) => tried.has(name));
}

function triedByCluster(hop: Hop, { risks, recommended }: EvaluatedUpdate): Finding {
  const names = namesInWords(risks);
  if (recommended?.status === 'True') {
    const message = `The cluster recommends ${hop.to.raw}, since none of its risks concerns it: ${names}`;
    return { ...asExpected(TYPE, message), origin: 'reported' };
  }
  const said = [recommended?.reason, recommended?.message].filter(Boolean).join(': ');
  const isKnown = recommended?.status === 'False';
  const verdict = isKnown
    ? `The cluster does not recommend ${hop.to.raw}`
    : `The cluster does not know whether to recommend ${hop.to.raw}`;
  return {
    ...finding({
      type: TYPE,
      status: isKnown ? 'False' : 'Unknown',
      reason: RISK,
      message: `${verdict}, which has risks: ${names}${said === '' ? '' : ` (${said})`}`,
      effect: 'warn',
    }),
    origin: 'reported',
    objects: risks.toSorted().map((name) => riskObject(name, hop.update)),
    ...firstOf(linksOf(hop.update)),
    ...(recommended?.since && { since: recommended.since }),
  };
}

function saidByGraph({ from, to }: Hop, update: PathHop): Finding {
  if (!update.conditional) {
    return asExpected(TYPE, `${to.raw} is recommended from ${from.raw} in ${namesInWords(update.channels)}`);
  }
  const names = update.risks.map(({ name }) => name).toSorted();
  const links = linksOf(update);
  const read = links.length === 0 ? '' : `; read ${listInWords(links)}`;
  return {
    ...finding({
      type: TYPE,
      status: 'Unknown',
      reason: RISK,
      message: `${to.raw} is recommended from ${from.raw} only to clusters that these risks do not concern: ${namesInWords(names)}${read}`,
      effect: 'warn',
    }),
    objects: names.map((name) => riskObject(name, update)),
    ...firstOf(links),
  };
}

function saidByCluster({ from, to }: Hop, clusterVersion: ClusterVersionFacts): Finding {
  const { availableUpdates, channel, conditions } = clusterVersion;
  if (availableUpdates.includes(to.raw)) {
    return { ...asExpected(TYPE, `The cluster recommends ${to.raw}`), origin: 'reported' };
  }
  if (channel === null || channel === '') {
    const message = `The cluster is in no channel, so it knows of no updates of ${from.raw}`;
    return {
      ...finding({ type: TYPE, status: 'Unknown', reason: 'NoChannel', message, effect: 'warn' }),
      remediation: [`oc adm upgrade channel stable-${to.major}.${to.minor}`],
    };
  }
  const retrieved = conditions.find(({ type }) => type === 'RetrievedUpdates');
  if (retrieved?.status !== 'True') {
    const said = retrieved
      ? [retrieved.reason, retrieved.message].filter((text) => text !== '').join(': ')
      : '';
    const message = `The cluster could not fetch its updates in ${channel}${said === '' ? '' : ` (${said})`}`;
    return {
      ...finding({ type: TYPE, status: 'Unknown', reason: 'CannotRetrieveUpdates', message, effect: 'warn' }),
      ...(retrieved?.since && { since: retrieved.since }),
    };
  }
  const message = `The cluster knows of no update from ${from.raw} to ${to.raw} in ${channel}, which is probably not supported`;
  return finding({ type: TYPE, status: 'False', reason: 'UnknownUpdate', message, effect: 'warn' });
}

function riskObject(name: string, update: PathHop | null): ConditionObject {
  const risk = update?.risks.find((each) => each.name === name);
  return {
    kind: 'ConditionalUpdateRisk',
    name,
    ...(risk && { detail: { url: risk.url, message: risk.message } }),
  };
}

function linksOf(update: PathHop | null): readonly string[] {
  const links = new Set((update?.risks ?? []).map(({ url }) => url));
  return [...links].filter((link) => link !== '').toSorted();
}

function firstOf([url]: readonly string[]): { readonly url?: string } {
  return url === undefined ? {} : { url };
}
