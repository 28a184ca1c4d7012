import type { PathStep } from '@cairn/shared/path/solver/solve';
import { CHANNELS, payloadOf } from './answers.ts';

export function step(
  version: string,
  listed: string | null,
  offeredIn: readonly string[] | null = null,
): PathStep {
  const node = {
    version,
    payload: payloadOf(version),
    metadata: (listed === null ? {} : { [CHANNELS]: listed }) as Record<string, string>,
  };
  const hop = offeredIn && { conditional: false, risks: [], crossesMinor: false, channels: offeredIn };
  return { version, payload: node.payload, node, hop };
}
