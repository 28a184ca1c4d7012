import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { combineReleaseConfig, type ReleaseConfigReading } from '@cairn/shared/releases/sources';
import { optionalEnv, PEER_VARIABLES } from '../../functions/runtime/env.ts';

export const DEFAULT_RELEASES = fileURLToPath(new URL('../releases.json', import.meta.url));

/** The configuration for a local run: the file named, else the peers' variables if any source is among them, else ours. */
export function readReleaseConfig(file: string | undefined): ReleaseConfigReading {
  const variables = optionalEnv(PEER_VARIABLES);
  const namesSources = 'RELEASE_SOURCES' in variables || 'DYNAMIC_OPENSHIFT_RELEASES_CONFIG' in variables;
  const path = file ?? (namesSources ? undefined : DEFAULT_RELEASES);
  if (path === undefined) return combineReleaseConfig(variables);
  const text = readText(path);
  return typeof text === 'string' ? combineReleaseConfig({ file: text, ...variables }) : text;
}

function readText(path: string): string | ReleaseConfigReading {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const message = `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`;
    const mistake = { source: 'file', pointer: '', value: path, message, accepted: 'a JSON file' };
    return { ok: false, mistakes: [mistake] };
  }
}
