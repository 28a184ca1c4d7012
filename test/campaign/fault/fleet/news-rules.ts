import type { SeenEvent } from '../../../helpers/lambda/seen-event.ts';
import { type ClusterState, isExposed, isOpen, newerPatch, type Offer, RISK } from './drawn-state.ts';

/** What each kind of news is about; of one topic nobody is told twice within a day. */
export const TOPIC: Readonly<Record<string, string>> = {
  NewerPatch: 'patch',
  PathOpened: 'path',
  PathClosed: 'path',
  ClusterBlocked: 'verdict',
  ClusterFree: 'verdict',
  UpdateAtRisk: 'plan',
  RiskAppliesToCluster: 'risk',
  RiskLifted: 'risk',
};

/** It is so, for a cluster in this state with this offer. */
export function isTrue({ type, detail }: SeenEvent, cluster: ClusterState, offer: Offer): boolean {
  if (detail['version'] !== cluster.version) return false;
  switch (type) {
    case 'NewerPatch':
      return detail['patch'] === newerPatch(offer, cluster);
    case 'PathOpened':
      return isOpen(offer, cluster);
    case 'PathClosed':
      return !isOpen(offer, cluster);
    case 'ClusterBlocked':
      return cluster.isBlocked && isOpen(offer, cluster);
    case 'ClusterFree':
      return !cluster.isBlocked && isOpen(offer, cluster);
    case 'UpdateAtRisk':
      return (detail['hops'] as TroubledHop[]).every(
        ({ from, to, now, risks }) =>
          now === 'conditional' && risks.join() === RISK && offer.risky.has(`${from} ${to}`),
      );
    case 'RiskAppliesToCluster':
      return (detail['hops'] as RiskyHop[]).every(({ from, to }) => offer.risky.has(`${from} ${to}`));
    case 'RiskLifted':
      return !isExposed(offer, cluster);
    default:
      return false;
  }
}

type RiskyHop = Pick<TroubledHop, 'from' | 'to'>;

interface TroubledHop {
  readonly from: string;
  readonly to: string;
  readonly now: string;
  readonly risks: readonly string[];
}

/** How a topic stands; null when there is nothing to be said of it. */
export function standingOf(topic: string, cluster: ClusterState, offer: Offer): string | null {
  if (topic === 'patch') return newerPatch(offer, cluster);
  if (topic === 'risk') return isExposed(offer, cluster) ? 'RiskAppliesToCluster' : 'RiskLifted';
  const open = isOpen(offer, cluster);
  if (topic === 'path') return open ? 'PathOpened' : 'PathClosed';
  if (!open) return null;
  return cluster.isBlocked ? 'ClusterBlocked' : 'ClusterFree';
}

/** What an event says of its topic, as `standingOf` has it. */
export function saidBy({ type, detail }: SeenEvent): string {
  return type === 'NewerPatch' ? String(detail['patch']) : type;
}
