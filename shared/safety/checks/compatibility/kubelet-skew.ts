import { countInWords, listInWords, namesInWords } from '../../../text/words.ts';
import { minorOf } from '../../../version/minor.ts';
import { type ConditionObject, type Finding, finding, inputMissing, type Check } from '../../condition.ts';
import { hostedClusterOf, isHosted } from '../../evidence/hosted.ts';
import {
  isHelpedByRollout,
  kubeletSentences,
  policySentence,
  rollSentence,
} from '../../evidence/kubelet-words.ts';
import {
  apiServerMinors,
  kubeletLags,
  SKEW_REASONS,
  type KubeletLag,
  type SkewReason,
} from '../../evidence/kubelets.ts';
import { nodesByPool, noNodes, rolloutChoices } from '../../evidence/pools.ts';
import type { HopContext } from '../../hop.ts';
import { upstreamKubeletLimit } from '../../tables/kubelet-limits.ts';

const TYPE = 'KubeletMinorVersionUpgradeable';

const TOO_OLD: readonly SkewReason[] = [
  'KubeletMinorVersionUnsupported',
  'KubeletMinorVersionUnsupportedNextUpgrade',
];
const DOUBTFUL: readonly SkewReason[] = ['KubeletMinorVersionAhead', 'KubeletVersionUnknown'];

/** Blocks the next minor if a kubelet would exceed the allowed skew. */
export const kubeletSkew: Check = (context) => {
  const { nodes } = context.facts;
  if (hostedClusterOf(context.facts)) return [notApplicable()];
  if (nodes === null) return [inputMissing(TYPE, 'the nodes were', ['oc get nodes -o json'])];
  if (nodes.length === 0) return [noNodes(TYPE)];
  const lags = kubeletLags(context);
  return [skewFinding(lags, context), ...beyondKubernetes(lags, context)];
};

function notApplicable(): Finding {
  const message = 'The node pools of a hosted cluster decide: see HostedSkew';
  return finding({ type: TYPE, status: 'True', reason: 'NotApplicableHosted', message, effect: 'ok' });
}

function skewFinding(lags: readonly KubeletLag[], context: HopContext): Finding {
  const reasons = new Set(lags.map(({ reason }) => reason));
  const reason = SKEW_REASONS.find((each) => reasons.has(each))!;
  const having = lags.filter((lag) => lag.reason === reason);
  if (reason === 'KubeletMinorVersionsSynced') {
    return finding({
      type: TYPE,
      status: 'True',
      reason,
      message: syncedMessage(lags, context),
      effect: 'ok',
    });
  }
  if (reason === 'KubeletMinorVersionPlannedRoll') {
    const pools = [...new Set(having.flatMap(({ place: { pool } }) => pool?.name ?? []))].toSorted();
    const who =
      pools.length === 0 ? 'the nodes' : `${pools.length === 1 ? 'pool' : 'pools'} ${listInWords(pools)}`;
    const message = `The plan updates ${who} to ${minorOf(context.hop.from)} before this hop`;
    return {
      ...finding({ type: TYPE, status: 'True', reason, message, effect: 'ok' }),
      objects: having.map(objectOf),
    };
  }
  if (reason === 'KubeletMinorVersionSupportedNextUpgrade') {
    const [message = ''] = kubeletSentences(having, context);
    return {
      ...finding({ type: TYPE, status: 'True', reason, message, effect: 'ok' }),
      objects: having.map(objectOf),
    };
  }
  // Report all problems: an unreadable node must not hide one that is too old.
  const tooOld = lags.filter((lag) => TOO_OLD.includes(lag.reason));
  const wrong = lags.filter((lag) => TOO_OLD.includes(lag.reason) || DOUBTFUL.includes(lag.reason));
  const sentences = [...kubeletSentences(wrong, context), ...rollSentence(tooOld, context)];
  const message = sentences.length === 1 ? sentences[0]! : `${sentences.join('. ')}.`;
  return {
    ...(tooOld.length > 0
      ? finding({ type: TYPE, status: 'False', reason, message, effect: 'block' })
      : finding({ type: TYPE, status: 'Unknown', reason, message, effect: 'warn' })),
    objects: wrong.map(objectOf),
    remediation: remediationOf(wrong, context),
    notAcceptable: true,
  };
}

function syncedMessage(lags: readonly KubeletLag[], { facts, hop }: HopContext): string {
  const kubelets = lags.length === 1 ? 'The only kubelet is' : `All ${lags.length} kubelets are`;
  const place = `at Kubernetes 1.${apiServerMinors(facts, hop).newest}, as the API server is`;
  return hop.index === 0 ? `${kubelets} ${place}` : `${kubelets} taken to be ${place} by then`;
}

function objectOf(lag: KubeletLag): ConditionObject {
  const { node, place, reason, minor } = lag;
  return {
    kind: 'Node',
    name: node.name,
    detail: {
      reason,
      kubeletVersion: node.kubeletVersion,
      pool: place.pool?.name ?? null,
      paused: place.pool?.paused ?? false,
      ...(minor !== null && {
        lagNow: lag.now,
        limitNow: lag.limitNow,
        lagAfter: lag.after,
        limitAfter: lag.limitAfter,
      }),
    },
  };
}

function remediationOf(wrong: readonly KubeletLag[], context: HopContext): string[] {
  const { facts, hop } = context;
  const limited = wrong.filter(({ reason }) => TOO_OLD.includes(reason));
  const tooOld = limited.filter((lag) => isHelpedByRollout(lag, context));
  const policy = policySentence(limited, context);
  if (isHosted(facts) && tooOld.length > 0) {
    return [`Update the node pools to ${minorOf(hop.from)} on the management cluster`, 'oc get nodes'];
  }
  const members = nodesByPool(facts);
  const pools = new Map(tooOld.flatMap(({ place: { pool } }) => (pool ? [[pool.name, pool] as const] : [])));
  const unmanaged = tooOld.filter(({ place }) => !place.isManaged).map(({ node }) => node.name);
  return [
    ...[...pools.values()]
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((pool) => rolloutChoices(pool, members.get(pool.name) ?? [])),
    ...(unmanaged.length > 0
      ? [
          `Update these nodes to ${minorOf(hop.from)} yourself, because no pool manages them: ${namesInWords(unmanaged)}`,
        ]
      : []),
    ...(policy === null ? [] : [policy]),
    ...(facts.pools === null && tooOld.length > 0 ? ['oc get machineconfigpools'] : []),
    ...(wrong.some(({ reason }) => reason === 'KubeletMinorVersionAhead')
      ? [
          'A kubelet newer than the API server is left from a rollback: let it end, or update the control plane again',
        ]
      : []),
    ...(wrong.some(({ reason }) => reason === 'KubeletVersionUnknown')
      ? ['oc get nodes -o custom-columns=NAME:.metadata.name,KUBELET:.status.nodeInfo.kubeletVersion']
      : []),
  ];
}

/** A fixed policy can exceed the Kubernetes limit, which is two minors for kubelets before 1.25. */
function beyondKubernetes(lags: readonly KubeletLag[], { hop, options }: HopContext): Finding[] {
  const beyond = lags.filter(
    ({ minor, after, limitAfter }) =>
      minor !== null && after! <= limitAfter! && after! > upstreamKubeletLimit(minor),
  );
  if (beyond.length === 0) return [];
  const names = beyond.map(({ node }) => node.name);
  const message = `Policy ${options.policy} lets ${countInWords(names.length, 'node')} be further behind ${minorOf(hop.to)} than Kubernetes supports, which is 2 minors for kubelets before 1.25: ${namesInWords(names)}`;
  return [
    {
      ...finding({
        type: TYPE,
        status: 'True',
        reason: 'KubeletBeyondKubernetesPolicy',
        message,
        effect: 'warn',
      }),
      objects: beyond.map(objectOf),
    },
  ];
}
