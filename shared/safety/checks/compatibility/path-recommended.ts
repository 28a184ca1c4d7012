import type { ClusterVersionFacts } from '../../../cluster/facts.ts';
import type { Hop as PathHop } from '../../../path/solver/solve.ts';
import { excerpt } from '../../../text/quote.ts';
import { joinInWords, listInWords, namesInWords } from '../../../text/words.ts';
import { type Finding, asExpected, finding, inputMissing, type Check } from '../../condition.ts';
import {
  isGuard,
  riskObject,
  takesAcceptedRisks,
  updateRisks,
  type UpdateRisk,
} from '../../evidence/risks.ts';
import type { Hop } from '../../hop.ts';
import { RISK_KIND } from '../../values.ts';

const TYPE = 'PathRecommended';

type EvaluatedUpdate = ClusterVersionFacts['conditionalUpdates'][number];

/** The update graph covers every hop. The cluster covers the first one and has evaluated whether its risks apply. */
export const pathRecommended: Check = ({ facts: { clusterVersion }, hop }) => {
  if (hop.updateType === 'same') return [asExpected(TYPE, `The cluster is at ${hop.to.raw}`)];
  const isFirst = hop.index === 0;
  const own = isFirst && clusterVersion?.desired.version === hop.from.raw ? clusterVersion : null;
  return [
    recommendation(hop, own, clusterVersion === null),
    ...(isFirst && clusterVersion ? refused(hop, clusterVersion) : []),
  ];
};

function recommendation(hop: Hop, own: ClusterVersionFacts | null, isMissing: boolean): Finding {
  const { update } = hop;
  const evaluated = own?.conditionalUpdates.find(({ version }) => version === hop.to.raw) ?? null;
  const names = [...(evaluated?.risks ?? []), ...(update?.risks ?? []).map(({ name }) => name)];
  const risks = updateRisks(names, update, own);
  const isReported = own !== null && takesAcceptedRisks(own) && risks.length > 0;
  const decided = isReported ? decidedByCluster(hop, risks, evaluated) : null;
  if (decided) return decided;
  if (evaluated && hasTriedAll(evaluated, update)) return triedByCluster(hop, evaluated, risks);
  if (evaluated && risks.length === 0) return withoutNames(hop);
  if (update) {
    const possible = risks.filter(({ applies }) => applies !== 'False');
    const said = saidByGraph(hop, update, possible);
    return update.conditional ? { ...said, ...aboutRisks(possible) } : said;
  }
  if (own) return saidByCluster(hop, own);
  if (isMissing) return inputMissing(TYPE, 'the ClusterVersion was', ['oc get clusterversion -o json']);
  const message = `Only known once the cluster is at ${hop.from.raw}, because the path is not one of our graph`;
  return finding({ type: TYPE, status: 'Unknown', reason: 'NotReachedYet', message, effect: 'info' });
}

/** For assumed facts: risks to read before a conditional update. */
export const risksToRead: Check = ({ hop }) => {
  const { update } = hop;
  if (!update?.conditional) return [];
  const objects = update.risks
    .map(({ name, url, message }) => ({ kind: RISK_KIND, name, detail: { url, message } }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const remediation = update.risks.map(({ name, message }) => `Risk ${name}: ${message}`);
  return [{ ...saidByGraph(hop, update, update.risks), objects, remediation }];
};

/** Risks declared after the cluster's evaluation still need a warning. */
function hasTriedAll(evaluated: EvaluatedUpdate, update: PathHop | null): boolean {
  const tried = new Set(evaluated.risks);
  return tried.size > 0 && (update?.risks ?? []).every(({ name }) => tried.has(name));
}

/**
 * Newer clusters report each risk: an update goes on if every risk does not apply or is accepted. Null if a risk is
 * unknown, or if the cluster recommends against the update for another reason.
 */
function decidedByCluster(
  hop: Hop,
  risks: readonly UpdateRisk[],
  evaluated: EvaluatedUpdate | null,
): Finding | null {
  const open = risks.filter(({ applies, isAccepted }) => applies === 'True' && !isAccepted);
  if (open.length > 0) return riskApplies(hop, open, risks);
  const possible = risks.filter(({ applies }) => applies !== 'False');
  // Accepting a risk does not decide whether it applies.
  const isDecided = possible.every(({ applies, isAccepted }) => isAccepted && applies !== 'Unknown');
  const isContradicted = evaluated?.recommended?.status === 'False' && possible.length === 0;
  if (!isDecided || isContradicted) return null;
  const names = namesInWords(possible.map(({ name }) => name));
  const message =
    possible.length === 0
      ? `No known risk of ${hop.to.raw} applies to the cluster`
      : `The risks of ${hop.to.raw} are accepted in the cluster: ${names}`;
  return {
    ...asExpected(TYPE, message),
    origin: 'reported',
    ...(possible.length > 0 && { objects: possible.map(riskObject) }),
  };
}

function riskApplies({ to }: Hop, open: readonly UpdateRisk[], risks: readonly UpdateRisk[]): Finding {
  const names = open.map(({ name }) => name);
  const verb = names.length === 1 ? 'applies to it and is' : 'apply to it and are';
  const unknown = risks.filter(({ applies }) => applies === 'Unknown').map(({ name }) => name);
  const doubt = unknown.length === 0 ? '' : `; not known whether these apply: ${namesInWords(unknown)}`;
  const noun = names.length === 1 ? 'risk' : 'risks';
  return {
    ...finding({
      type: TYPE,
      status: 'False',
      reason: 'RiskApplies',
      message: `${to.raw} is not recommended for the cluster: ${noun} ${namesInWords(names)} ${verb} not accepted${doubt}`,
      effect: 'warn',
    }),
    ...aboutRisks(risks),
    origin: 'reported',
  };
}

/** Links, objects, and advice for risks that must not be accepted. */
function aboutRisks(risks: readonly UpdateRisk[]): Pick<Finding, 'objects' | 'url' | 'remediation'> {
  const [url] = linksOf(risks);
  const guards = risks.filter(({ name, applies }) => isGuard(name) && applies !== 'False');
  return {
    objects: risks.map(riskObject),
    ...(guards.length > 0 && {
      remediation: [
        `Resolve ${namesInWords(guards.map(({ name }) => name))} instead of accepting: the plan has a finding for the cause`,
        'oc adm upgrade',
      ],
    }),
    ...(url !== undefined && { url }),
  };
}

function triedByCluster(hop: Hop, { recommended }: EvaluatedUpdate, risks: readonly UpdateRisk[]): Finding {
  const names = namesInWords(risks.map(({ name }) => name));
  if (recommended?.status === 'True' && !risks.some(({ applies }) => applies === 'Unknown')) {
    const message = `The cluster recommends ${hop.to.raw}, since none of its risks concerns it: ${names}`;
    return { ...asExpected(TYPE, message), origin: 'reported' };
  }
  const said = [recommended?.reason, excerpt(recommended?.message ?? '')].filter(Boolean).join(': ');
  const isKnown = recommended?.status === 'False';
  const verdict = isKnown
    ? `The cluster does not recommend ${hop.to.raw}`
    : `The cluster does not know whether to recommend ${hop.to.raw}`;
  return {
    ...finding({
      type: TYPE,
      status: isKnown ? 'False' : 'Unknown',
      reason: RISK_KIND,
      message: `${verdict}, which has risks: ${names}${said === '' ? '' : ` (${said})`}`,
      effect: 'warn',
    }),
    ...aboutRisks(risks),
    origin: 'reported',
    ...(recommended?.since && { since: recommended.since }),
  };
}

/** An update without names is not one without risks. */
function withoutNames({ to }: Hop): Finding {
  const message = `${to.raw} is a conditional update of the cluster, but its report names no risk`;
  return {
    ...finding({ type: TYPE, status: 'Unknown', reason: RISK_KIND, message, effect: 'warn' }),
    origin: 'reported',
    remediation: [`Read the risks of ${to.raw} in the output of oc adm upgrade`, 'oc adm upgrade'],
  };
}

function saidByGraph(
  { from, to }: Hop,
  update: PathHop,
  risks: readonly Pick<UpdateRisk, 'name' | 'url'>[],
): Finding {
  if (!update.conditional) {
    return asExpected(TYPE, `${to.raw} is recommended from ${from.raw} in ${namesInWords(update.channels)}`);
  }
  const links = linksOf(risks);
  const read = links.length === 0 ? '' : `; read ${listInWords(links)}`;
  const names = namesInWords(risks.map(({ name }) => name));
  return {
    ...finding({
      type: TYPE,
      status: 'Unknown',
      reason: RISK_KIND,
      message: `${to.raw} is recommended from ${from.raw} only to clusters that these risks do not concern: ${names}${read}`,
      effect: 'warn',
    }),
    ...(links[0] !== undefined && { url: links[0] }),
  };
}

/** The cluster refused an update that was requested. It blocks only that update, or one with the same risks. */
function refused(hop: Hop, clusterVersion: ClusterVersionFacts): Finding[] {
  const { conditions, desiredUpdate, conditionalUpdates } = clusterVersion;
  const condition = conditions.find(({ type }) => type === 'ReleaseAccepted');
  if (condition?.status !== 'False' || condition.reason !== UNACCEPTED_RISKS) return [];
  const asked = desiredUpdate?.version ?? '';
  const namesOf = (version: string): readonly string[] =>
    conditionalUpdates.find((update) => update.version === version)?.risks ?? [];
  const inHop = [...namesOf(hop.to.raw), ...(hop.update?.risks ?? []).map(({ name }) => name)];
  const known = [...(clusterVersion.knownRisks ?? []).map(({ name }) => name), ...namesOf(asked), ...inHop];
  const quoted = new Set(condition.message.match(/[A-Za-z](?:[\w.:-]*\w)?/g));
  const named = known.filter((name) => quoted.has(name));
  const risks = updateRisks(named.length > 0 ? named : namesOf(asked), hop.update, clusterVersion).filter(
    ({ applies, isAccepted }) => applies !== 'False' && !isAccepted,
  );
  const isSame =
    asked === '' || asked === hop.to.raw || risks.some(({ name }) => inHop.some((other) => other === name));
  const names = risks.length === 0 ? '' : ` (${joinInWords(risks.map(({ name }) => name))})`;
  const said = condition.message === '' ? '' : `: ${excerpt(condition.message)}`;
  return [
    {
      ...finding({
        type: TYPE,
        status: 'False',
        reason: 'UpdateRefused',
        message: `The cluster refused ${asked || 'an update'} for risks that are not accepted${names}${said}`,
        effect: isSame ? 'block' : 'warn',
      }),
      remediation: ['oc adm upgrade'],
      ...(risks.length > 0 && aboutRisks(risks)),
      origin: 'reported',
      ...(condition.since !== null && { since: condition.since }),
    },
  ];
}

/** Reason of `ReleaseAccepted`. */
export const UNACCEPTED_RISKS = 'UnacceptedRisks';

function saidByCluster({ from, to }: Hop, clusterVersion: ClusterVersionFacts): Finding {
  const { availableUpdates, channel, conditions } = clusterVersion;
  if (availableUpdates.includes(to.raw)) {
    return { ...asExpected(TYPE, `The cluster recommends ${to.raw}`), origin: 'reported' };
  }
  if (channel === null || channel === '') {
    const message = `The cluster is in no channel, so it knows of no updates of ${from.raw}`;
    return {
      ...finding({ type: TYPE, status: 'Unknown', reason: 'NoChannel', message, effect: 'warn' }),
      remediation: [
        'Set a channel, or update by digest with --to-image',
        `oc adm upgrade channel stable-${to.major}.${to.minor}`,
      ],
    };
  }
  const retrieved = conditions.find(({ type }) => type === 'RetrievedUpdates');
  if (retrieved?.status !== 'True') {
    const said = retrieved
      ? [retrieved.reason, excerpt(retrieved.message)].filter((text) => text !== '').join(': ')
      : '';
    const message = `The cluster could not fetch its updates in ${channel}${said === '' ? '' : ` (${said})`}`;
    return {
      ...finding({ type: TYPE, status: 'Unknown', reason: 'CannotRetrieveUpdates', message, effect: 'warn' }),
      ...(retrieved?.since && { since: retrieved.since }),
    };
  }
  const message = `The cluster knows of no update from ${from.raw} to ${to.raw} in ${channel}, which is probably not supported`;
  return {
    ...finding({ type: TYPE, status: 'False', reason: 'UnknownUpdate', message, effect: 'warn' }),
    remediation: ['Choose an update that the cluster knows', 'oc adm upgrade'],
  };
}

function linksOf(risks: readonly Pick<UpdateRisk, 'url'>[]): readonly string[] {
  const links = new Set(risks.map(({ url }) => url));
  return [...links].filter((link) => link !== '').toSorted();
}
