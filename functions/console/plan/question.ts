import type { RiskPolicy, UpgradeQuestion } from '@cairn/shared/path/question';
import type { Strategy } from '@cairn/shared/safety/hop';
import { setState } from '../state/navigation.ts';
import type { RiskChoice, UrlState } from '../state/url-state.ts';

/** A new question: what was chosen among the answers to the former one goes. A cluster stands where it stands. */
export function askFor(patch: Partial<UrlState>): void {
  const leavesCluster = patch.from !== undefined || patch.arch !== undefined;
  setState(
    { alt: 0, sel: '', minors: null, ...(leavesCluster && { cluster: '' }), ...patch },
    { push: true },
  );
}

/** The risks of a link as the solver and the service understand them. */
function riskPolicyOf(risks: RiskChoice): RiskPolicy {
  if (risks === 'avoid') return { risk: 'none' };
  return risks === 'allow' ? { risk: 'all' } : { risk: 'accept', acceptedRisks: risks };
}

/** What a link asks for, as the service would be asked for it. */
export function questionOf(state: Pick<UrlState, 'from' | 'to' | 'channel' | 'risks'>): UpgradeQuestion {
  return {
    from: state.from,
    to: state.to || 'latest',
    channels: state.channel ? [state.channel] : [],
    ...riskPolicyOf(state.risks),
    prefer: 'safest',
    alternatives: 3,
  };
}

export function strategyOf({ pause }: Pick<UrlState, 'pause'>): Strategy {
  return pause ? 'control-plane-only' : 'rolling';
}

type Asked = Pick<UrlState, 'to' | 'channel' | 'risks'>;

/** The address of the plan of a stored cluster: `/v1/clusters/berlin/upgrade-plan?target=4.16`. */
export function clusterPlanAddress(
  state: Asked & Pick<UrlState, 'cluster' | 'pause'>,
  format?: 'json' | 'markdown',
): string {
  return addressOf(
    `/v1/clusters/${encodeURIComponent(state.cluster)}/upgrade-plan`,
    { target: state.to },
    state,
    {
      strategy: state.pause ? strategyOf(state) : '',
      format: format ?? '',
    },
  );
}

/** The address of the path between versions: `/v1/upgrade-paths?from=4.14.20&to=4.16&arch=amd64&alternatives=3`. */
export function pathAddress(state: Asked & Pick<UrlState, 'from' | 'arch'>): string {
  return addressOf('/v1/upgrade-paths', { to: state.to }, state, {
    from: state.from,
    arch: state.arch,
    alternatives: '3',
  });
}

function addressOf(
  path: string,
  target: Record<string, string>,
  { channel, risks }: Asked,
  more: Record<string, string>,
): string {
  const { risk, acceptedRisks } = riskPolicyOf(risks);
  const asked = {
    ...target,
    channel,
    // Names mean that these are accepted and no others.
    accept_risk: acceptedRisks?.join(',') ?? '',
    risk: acceptedRisks || risk === 'none' ? '' : risk,
    ...more,
  };
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== '')).toString();
  return `${path}${query && `?${query}`}`;
}
