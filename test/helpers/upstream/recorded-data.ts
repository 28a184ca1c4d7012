import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { parseReleaseConfig, type ReleaseConfig } from '@cairn/shared/releases/sources';
import { cpuArchitectureOf, type Arch } from '@cairn/shared/version/arch';
import { listRecordedPairs, type StubResponse } from './cincinnati-stub.ts';

const DATA = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

/** Recorded responses of the public service exist beside the project on some machines; they are optional. */
export const isRecordedDataPresent = existsSync(join(DATA, 'upstream', 'manifest.json'));
export const RECORDED_UPSTREAM = join(DATA, 'upstream');

/** Follows every recorded pair. */
export function recordedConfig(): ReleaseConfig {
  const byMinor = Map.groupBy(listRecordedPairs(RECORDED_UPSTREAM), ({ channel }) => channel.split('-')[1]!);
  const reading = parseReleaseConfig({
    release_sources: [...byMinor].map(([minor, pairs]) => ({
      openshift_version: minor,
      upgrade_channels: [...Map.groupBy(pairs, ({ arch }) => arch)].map(([arch, same]) => ({
        cpu_architecture: cpuArchitectureOf(arch as Arch),
        channels: same.map(({ channel }) => channel.split('-')[0]),
      })),
    })),
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.config;
}

/** A recorded response, as the public service sent it. */
export function readRecorded(channel: string, arch: string): string {
  return gunzipSync(readFileSync(join(RECORDED_UPSTREAM, `${channel}.${arch}.json.gz`))).toString('utf8');
}

/** Recorded states of a channel, oldest first, as stub responses. */
export function recordedHistory(name: string): StubResponse[] {
  const dir = join(DATA, 'upstream-real', 'history', name);
  const files = readdirSync(dir)
    .filter((file) => file.endsWith('.json.gz'))
    .toSorted();
  return files.map((file) => ({
    status: 200,
    headers: { 'content-encoding': 'gzip' },
    body: readFileSync(join(dir, file)),
  }));
}
