import type { RiskPolicy, UpgradeQuestion } from '@cairn/shared/path/question';
import type { Strategy } from '@cairn/shared/safety/hop';
import { isEusToEus, minorReleaseOf } from '@cairn/shared/version/release-line';
import { withQuery } from '../data/api.ts';
import { setState } from '../state/navigation.ts';
import type { RiskChoice, UrlState } from '../state/url-state.ts';

/**
 * Starts a new question and resets choices that belong to the former result. A new start version or architecture
 * leaves the cluster.
 */
export function askFor(patch: Partial<UrlState>): void {
  const leavesCluster = patch.from !== undefined || patch.arch !== undefined;
  setState(
    { alt: 0, sel: '', minors: null, ...(leavesCluster && { cluster: '' }), ...patch },
    { push: true },
  );
}

function riskPolicyOf(risks: RiskChoice): RiskPolicy {
  if (risks === 'avoid') return { risk: 'none' };
  return risks === 'allow' ? { risk: 'all' } : { risk: 'accept', acceptedRisks: risks };
}

/** Question of a link, in the terms of the API. */
export function questionOf(
  state: Pick<UrlState, 'from' | 'to' | 'channel' | 'risks' | 'pause'>,
): UpgradeQuestion {
  const [start, end] = [minorReleaseOf(state.from), minorReleaseOf(state.to)];
  return {
    from: state.from,
    to: state.to || 'latest',
    channels: state.channel ? [state.channel] : [],
    ...riskPolicyOf(state.risks),
    prefer: 'safest',
    alternatives: 3,
    // Undefined as in the API, which then decides by the versions.
    prefersEus: (state.pause && start !== null && end !== null && isEusToEus(start, end)) || undefined,
  };
}

type Asked = Pick<UrlState, 'to' | 'channel' | 'risks'>;

/** `/v1/clusters/berlin/upgrade-plan?target=4.16` */
export function clusterPlanAddress(
  state: Asked & Pick<UrlState, 'cluster' | 'pause'>,
  format: 'json' | 'markdown' | '' = '',
): string {
  return withQuery(`/v1/clusters/${encodeURIComponent(state.cluster)}/upgrade-plan`, {
    target: state.to,
    ...conditionsOf(state),
    strategy: state.pause ? ('control-plane-only' satisfies Strategy) : '',
    format,
  });
}

/** `/v1/upgrade-paths?from=4.14.20&to=4.16&arch=amd64&alternatives=3` */
export function pathAddress(state: Asked & Pick<UrlState, 'from' | 'arch'>): string {
  const { from, to, arch } = state;
  return withQuery('/v1/upgrade-paths', { to, ...conditionsOf(state), from, arch, alternatives: '3' });
}

function conditionsOf({ channel, risks }: Asked) {
  const { risk, acceptedRisks } = riskPolicyOf(risks);
  return {
    channel,
    // Names accept these risks and no others.
    accept_risk: acceptedRisks?.join(',') ?? '',
    risk: acceptedRisks || risk === 'none' ? '' : risk,
  };
}
