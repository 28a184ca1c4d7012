import { readFileSync } from 'node:fs';
import type { DrawnUpstream } from '../upstream/drawn-upstream.ts';
import { drawnSite, type Site } from './site.ts';

const PATCHES_4_14 = Array.from({ length: 30 }, (_, patch) => `4.14.${patch} > 4.14.30`);
const TO_4_15 = [
  ...PATCHES_4_14,
  '4.14.20 > 4.14.25',
  '4.14.25 > 4.15.10',
  '4.14.30 > 4.15.10',
  '4.14.30 > 4.15.20 NodesMayHang',
  '4.15.10 > 4.15.12',
  '4.15.10 > 4.15.20',
];
/** 4.16.30 has only paths with risks, one with a name of maximum length. */
const TO_4_16 = [
  ...TO_4_15,
  '4.15.20 > 4.16.10',
  '4.15.20 > 4.16.30 NodesMayHang,AlwaysMultiNetworkAttachmentsWhereaboutsVersion',
];

/** Small enough to read, with a plan of every kind. */
const FEW_CHANNELS: DrawnUpstream = {
  amd64: {
    'stable-4.14': PATCHES_4_14,
    'stable-4.15': TO_4_15,
    'stable-4.16': TO_4_16,
    // No update leads to 4.16.40.
    'eus-4.16': [...TO_4_16, '4.16.40 > 4.16.41'],
  },
  arm64: { 'stable-4.14': PATCHES_4_14, 'stable-4.15': TO_4_15 },
};

export function fewChannels(): Promise<Site> {
  return drawnSite(FEW_CHANNELS);
}

/** Reports the cluster on 4.14.20 that the docs show. */
export async function addCluster(site: Site, id: string): Promise<void> {
  const response = await fetch(`${site.url}/v1/clusters/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: readFileSync(new URL('../../../docs/examples/cluster.json', import.meta.url)),
  });
  if (!response.ok) throw new Error(`the cluster was not taken: ${await response.text()}`);
}
