import { DOCUMENT_KINDS } from '../../cluster/document-kinds.ts';
import type { ClusterFacts, NodeFacts } from '../../cluster/facts.ts';
import { RHEL_LABEL } from '../../cluster/nodes.ts';
import { excerpt } from '../../text/quote.ts';
import { listInWords, namesInWords } from '../../text/words.ts';
import { minorOf } from '../../version/minor.ts';
import { ordinalOf } from '../../version/release-line.ts';
import { type Decision, NO, unknown, yes } from '../decision.ts';
import { entersMinor, type Hop } from '../hop.ts';

export interface GuardSubject {
  readonly facts: ClusterFacts;
  readonly hop: Hop;
}

/** The community distribution may use its own feature set. */
export function hasFeatureSet({ facts: { featureSet, clusterVersion } }: GuardSubject): Decision {
  if (featureSet === null) return unknown('featureSet');
  const isCommunity = /okd|scos/.test(clusterVersion?.desired.version ?? '');
  if (featureSet === '' || (featureSet === 'OKD' && isCommunity)) return NO;
  return yes(`Feature set ${featureSet} rules out minor updates and cannot be removed`, [
    { kind: 'FeatureGate', name: 'cluster', detail: { featureSet } },
  ]);
}

/** Kinds of operator configuration that no document was sent of. */
export function unsentConfigurations({ operatorConfigs }: Pick<ClusterFacts, 'operatorConfigs'>): string[] {
  const sent = new Set((operatorConfigs ?? []).map(({ kind }) => kind));
  const rows = DOCUMENT_KINDS.filter(
    ({ facts, kind }) => facts.includes('operatorConfigs') && !sent.has(kind),
  );
  return rows.map(({ kind }) => kind);
}

export function hasConfigOverrides({ facts: { operatorConfigs } }: GuardSubject): Decision {
  const overridden = (operatorConfigs ?? []).filter(({ overrides }) => overrides.length > 0);
  if (overridden.length === 0) {
    return unsentConfigurations({ operatorConfigs }).length > 0 ? unknown('operatorConfigs') : NO;
  }
  const named = overridden.map(({ kind, overrides }) => `${kind} (${listInWords(overrides)})`);
  return yes(
    `Unsupported overrides are set: ${namesInWords(named)}`,
    overridden.map(({ kind, namespace, name, overrides }) => ({
      kind,
      ...(namespace !== undefined && { namespace }),
      name,
      detail: { overrides },
    })),
  );
}

const DELETING = /\bResourceDelet(?:esIn|ionIn)Progress\b/;

/** Only reported, and only about now. Several reasons are named in the message. */
export function isDeleting({ facts: { clusterVersion }, hop }: GuardSubject): Decision {
  if (clusterVersion === null) return unknown('clusterVersion');
  const reported = clusterVersion.conditions.find(
    ({ type, status, reason, message }) =>
      type.startsWith('Upgradeable') &&
      status === 'False' &&
      (DELETING.test(reason) || (reason === 'MultipleReasons' && DELETING.test(message))),
  );
  if (!reported || hop.minorDistance > 1) return NO;
  return yes(excerpt(reported.message) || 'The cluster is deleting objects of its release', [
    { kind: 'ClusterVersion', name: 'version', detail: { reason: reported.reason } },
  ]);
}

/** The annotation counts up to its minor. A patch needs none. */
export function lacksCredentials({ facts: { cloudCredential }, hop }: GuardSubject): Decision {
  if (!entersMinor(hop)) return NO;
  if (cloudCredential === null) return unknown('cloudCredential');
  const { mode, upgradeableTo } = cloudCredential;
  if (mode !== 'Manual') return NO;
  const [, major, minor] = /^v?(\d+)\.(\d+)(?:\.|$)/.exec(upgradeableTo) ?? [];
  const confirmed = major === undefined ? -1 : ordinalOf({ major: Number(major), minor: Number(minor) });
  if (confirmed >= ordinalOf(hop.to)) return NO;
  const upTo = confirmed < 0 ? 'any minor' : `${minorOf(hop.to)}, only for ${upgradeableTo}`;
  return yes(`Manual cloud credentials are not confirmed for ${upTo}`, [
    { kind: 'CloudCredential', name: 'cluster', detail: { upgradeableTo } },
  ]);
}

export function hasRhelNodes({ facts: { nodes } }: GuardSubject): Decision {
  if (nodes === null) return unknown('nodes');
  const names = nodes.filter(isRhel).map(({ name }) => name);
  if (names.length === 0) return NO;
  return yes(
    `4.19 does not support RHEL nodes: ${namesInWords(names)}`,
    names.toSorted().map((name) => ({ kind: 'Node', name })),
  );
}

/** By the image where the label is missing. */
function isRhel({ labels, osImage }: NodeFacts): boolean {
  const id = Object.hasOwn(labels, RHEL_LABEL.key) ? labels[RHEL_LABEL.key] : undefined;
  if (id !== undefined) return id === RHEL_LABEL.value;
  return osImage.startsWith('Red Hat Enterprise Linux') && !osImage.includes('CoreOS');
}

/** Both documents have the type; during a migration they differ, and either counts. */
export function hasNetwork(type: string, message: string): (subject: GuardSubject) => Decision {
  return ({ facts: { configuredNetwork, networkType } }) => {
    if (configuredNetwork === type || networkType === type) {
      return yes(`The cluster network is ${type}. ${message}`, [{ kind: 'Network', name: 'cluster' }]);
    }
    return configuredNetwork === null && networkType === null ? unknown('networkType') : NO;
  };
}
