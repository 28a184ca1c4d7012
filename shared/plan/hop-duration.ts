import type { Hop } from '../safety/hop.ts';
import type { ClusterSize } from './duration.ts';
import { DURATION_MODEL, isNetworkSerial, modelMinutes } from './duration-model.ts';
import { eachMinutes, roundMinutes, type Minutes } from './words.ts';

export interface HopDuration extends Minutes {
  /** Whether the network is rolled out node by node, which makes large clusters slow. */
  readonly serialNetwork: boolean;
}

/**
 * Minutes from the start of a hop until the cluster says Completed: 45, 60, 125 for 6 nodes, and from 25 on for a patch.
 * The scale leaves the least alone, unless the likeliest falls below it.
 */
export function hopDuration(
  hop: Pick<Hop, 'to' | 'updateType'>,
  size: ClusterSize,
  networkType: string | null,
  scale: number,
): HopDuration {
  const serialNetwork = isNetworkSerial(hop.to, networkType);
  const model = modelMinutes(size, serialNetwork);
  const least = model.min * (hop.updateType === 'patch' ? DURATION_MODEL.patchMinimum : 1);
  const expected = model.expected * scale;
  const minutes = { min: Math.min(least, expected), expected, max: model.max * scale };
  return { ...eachMinutes((bound) => roundMinutes(minutes[bound])), serialNetwork };
}
