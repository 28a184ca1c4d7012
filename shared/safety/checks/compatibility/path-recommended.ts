import type { ClusterVersionFacts } from '../../../cluster/facts.ts';
import type { HopRisk } from '../../../risk/cluster-risks.ts';
import { excerpt } from '../../../text/quote.ts';
import { joinInWords, listInWords, namesInWords } from '../../../text/words.ts';
import { type Finding, asExpected, finding, inputMissing, type Check } from '../../condition.ts';
import { isGuard, riskObject, risksOfCluster } from '../../evidence/risks.ts';
import type { Hop } from '../../hop.ts';
import { type Origin, RISK_KIND } from '../../values.ts';

const TYPE = 'PathRecommended';

type EvaluatedUpdate = ClusterVersionFacts['conditionalUpdates'][number];

/** The update graph covers every hop. The cluster covers the first one. Risks are decided one by one. */
export const pathRecommended: Check = ({ facts: { clusterVersion }, hop, risks }) => {
  if (hop.updateType === 'same') return [asExpected(TYPE, `The cluster is at ${hop.to.raw}`)];
  const isFirst = hop.index === 0;
  const own = isFirst && clusterVersion?.desired.version === hop.from.raw ? clusterVersion : null;
  return [
    recommendation(hop, risks, own, clusterVersion === null),
    ...(isFirst && clusterVersion ? refused(hop, clusterVersion) : []),
  ];
};

function recommendation(
  hop: Hop,
  risks: readonly HopRisk[],
  own: ClusterVersionFacts | null,
  isMissing: boolean,
): Finding {
  const { update } = hop;
  const evaluated = own?.conditionalUpdates.find(({ version }) => version === hop.to.raw) ?? null;
  if (evaluated && risks.length === 0) return withoutNames(hop);
  if (risks.length > 0) return byRisks(hop, risks, evaluated);
  if (update) {
    const message = `${hop.to.raw} is recommended from ${hop.from.raw} in ${namesInWords(update.channels)}`;
    return asExpected(TYPE, message);
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
  const [url] = linksOf(update.risks);
  const message = `${hop.to.raw} is recommended from ${hop.from.raw} only to clusters that these risks do not concern: ${namesInWords(update.risks.map(({ name }) => name))}${readMore(update.risks)}`;
  return [
    {
      ...finding({ type: TYPE, status: 'Unknown', reason: RISK_KIND, message, effect: 'warn' }),
      objects,
      remediation,
      ...(url !== undefined && { url }),
    },
  ];
};

/** What conditions of Kubernetes allow. */
const REASON = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const EXPOSED = 'ExposedToRisks';
const UNDECIDED = 'EvaluationFailed';
/** Reasons that this finding had, and has in `oc`: they still accept it. */
const ACCEPTED_AS = [RISK_KIND, 'RiskApplies'] as const;

/** An update goes on if every risk does not apply, or is accepted. */
function byRisks({ from, to }: Hop, risks: readonly HopRisk[], evaluated: EvaluatedUpdate | null): Finding {
  const possible = risks.filter(({ applies }) => applies !== 'no');
  const open = possible.filter(({ accepted }) => accepted === undefined);
  const exposed = open.filter(({ applies }) => applies === 'yes').map(({ name }) => name);
  const unknown = possible.filter(({ applies }) => applies === 'unknown');
  const isOurs = unknown.every(({ accepted }) => accepted !== undefined && accepted.source !== 'cluster');
  const tried = evaluated?.recommended ?? null;
  if (exposed.length > 0) {
    const doubt = unknown.filter(({ accepted }) => accepted === undefined).map(({ name }) => name);
    return {
      ...about(risks, possible),
      status: 'False',
      reason: reasonOf(exposed, doubt.length > 0),
      message: appliesInWords(to.raw, exposed, doubt),
      ...(tried?.since && { since: tried.since }),
    };
  }
  if (unknown.length > 0) {
    return {
      ...about(risks, possible),
      status: 'Unknown',
      reason: UNDECIDED,
      message: `${to.raw} is recommended from ${from.raw} only to clusters that these risks do not concern: ${namesInWords(unknown.map(({ name }) => name))}${saidOf(tried)}${readMore(unknown)}`,
      // A cluster that cannot evaluate a risk refuses its update even if the risk is accepted there.
      ...(isOurs && { accepted: true }),
    };
  }
  if (tried?.status === 'False' && possible.length === 0) {
    return {
      ...about(risks, risks),
      status: 'False',
      reason: tried.reason === '' ? EXPOSED : tried.reason,
      message: `The cluster does not recommend ${to.raw}, which has risks: ${namesInWords(risks.map(({ name }) => name))}${saidOf(tried)}`,
      origin: 'reported',
      ...(tried.since !== null && { since: tried.since }),
    };
  }
  const isAccepted = possible.length > 0;
  const message = isAccepted
    ? `The risks of ${to.raw} are accepted: ${namesInWords(possible.map(({ name }) => name))}`
    : `No known risk of ${to.raw} applies to the cluster`;
  return {
    ...asExpected(TYPE, message),
    reason: isAccepted ? 'AllExposedRisksAccepted' : 'NotExposedToRisks',
    origin: originOf(risks),
    ...(isAccepted && { objects: possible.map(riskObject) }),
  };
}

/** What findings of a risk have in common; all risks are listed where one applies. */
function about(risks: readonly HopRisk[], possible: readonly HopRisk[]) {
  return {
    type: TYPE,
    effect: 'warn' as const,
    origin: originOf(risks),
    acceptedAs: ACCEPTED_AS,
    ...aboutRisks(possible.some(({ applies }) => applies === 'yes') ? risks : possible),
  };
}

/** As the cluster joins reasons. */
function reasonOf(names: readonly string[], hasUnknown: boolean): string {
  const reasons = new Set(names.map((name) => (REASON.test(name) ? name : EXPOSED)));
  if (hasUnknown && !reasons.has(EXPOSED)) reasons.add(UNDECIDED);
  return reasons.size === 1 ? [...reasons][0]! : 'MultipleReasons';
}

/** Reported if the cluster itself decided a risk. */
function originOf(risks: readonly HopRisk[]): Origin {
  return risks.some(({ source }) => source === 'cluster') ? 'reported' : 'computed';
}

function appliesInWords(version: string, names: readonly string[], doubt: readonly string[]): string {
  const [noun, verb] =
    names.length === 1 ? ['risk', 'applies to it and is'] : ['risks', 'apply to it and are'];
  const unknown = doubt.length === 0 ? '' : `; not known whether these apply: ${namesInWords(doubt)}`;
  return `${version} is not recommended for the cluster: ${noun} ${namesInWords(names)} ${verb} not accepted${unknown}`;
}

function saidOf(recommended: EvaluatedUpdate['recommended']): string {
  const said = [recommended?.reason, excerpt(recommended?.message ?? '')].filter(Boolean).join(': ');
  return said === '' ? '' : ` (${said})`;
}

/** Links, objects, and advice for risks that must not be accepted. */
function aboutRisks(risks: readonly HopRisk[]): Pick<Finding, 'objects' | 'url' | 'remediation'> {
  const [url] = linksOf(risks);
  const guards = risks.filter(({ name, applies }) => isGuard(name) && applies !== 'no');
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

/** An update without names is not one without risks. */
function withoutNames({ to }: Hop): Finding {
  const message = `${to.raw} is a conditional update of the cluster, but its report names no risk`;
  return {
    ...finding({ type: TYPE, status: 'Unknown', reason: UNDECIDED, message, effect: 'warn' }),
    acceptedAs: ACCEPTED_AS,
    origin: 'reported',
    remediation: [`Read the risks of ${to.raw} in the output of oc adm upgrade`, 'oc adm upgrade'],
  };
}

function readMore(risks: readonly Pick<HopRisk, 'url'>[]): string {
  const links = linksOf(risks);
  return links.length === 0 ? '' : `; read ${listInWords(links)}`;
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
  const risks = risksOfCluster(named.length > 0 ? named : namesOf(asked), hop.update, clusterVersion).filter(
    ({ applies }) => applies !== 'no',
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

function linksOf(risks: readonly Pick<HopRisk, 'url'>[]): readonly string[] {
  const links = new Set(risks.map(({ url }) => url));
  return [...links].filter((link) => link !== '').toSorted();
}
