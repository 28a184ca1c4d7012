import { parseChannel } from '@cairn/shared/releases/channel';
import { minorOf } from '@cairn/shared/version/minor';
import { parseVersion } from '@cairn/shared/version/release-version';
import type { ClusterSummary } from '../data/responses.ts';

/** What a plan of a cluster is asked for; empty leaves it to the service. */
export interface Goal {
  readonly to: string;
  readonly channel: string;
}

/** Where a cluster is going, by the channel that it follows if that leads there: `stable-4.14` does not lead to 4.15. */
export function goalOf({ target, channel }: Pick<ClusterSummary, 'target' | 'channel'>): Goal {
  const version = parseVersion(target ?? '');
  if (version === null) return { to: '', channel: channel ?? '' };
  const leadsThere = parseChannel(channel ?? '')?.minor === minorOf(version);
  return { to: version.raw, channel: leadsThere ? channel! : '' };
}
