import { readFileSync } from 'node:fs';
import { type Mistake, describeMistake } from '@cairn/shared/input/input-value';
import { readJson } from '@cairn/shared/json/errors';
import { combineReleaseConfig } from '@cairn/shared/releases/sources';
import { messageOf } from '@cairn/shared/text/quote';
import { parseSettings } from './settings/read-settings.ts';
import { DEFAULT_SETTINGS, type DeploySettings } from './settings/settings.ts';

interface DeploymentFiles {
  readonly releases: string;
  /**
   * Deploy settings.
   * @default none, every setting has its default
   */
  readonly settings?: string;
}

export interface Deployment {
  readonly settings: DeploySettings;
  readonly releasesFile: string;
}

type DeploymentReading =
  | { readonly ok: true; readonly deployment: Deployment }
  | { readonly ok: false; readonly message: string };

/** `Cairn`, or `Cairn-<stage>`. */
export function stackNameOf({ stage }: DeploySettings): string {
  return stage === null ? 'Cairn' : `Cairn-${stage}`;
}

/** Reports the mistakes of all files in one message. */
export function readDeployment(files: DeploymentFiles): DeploymentReading {
  const mistakes: string[] = [];
  const settings = files.settings === undefined ? DEFAULT_SETTINGS : readSettings(files.settings, mistakes);
  checkReleases(files.releases, mistakes);
  if (mistakes.length === 0) return { ok: true, deployment: { settings, releasesFile: files.releases } };
  return { ok: false, message: ['the configuration cannot be deployed:', ...mistakes].join('\n  ') };
}

function readSettings(path: string, mistakes: string[]): DeploySettings {
  const text = readText(path, mistakes);
  if (text === null) return DEFAULT_SETTINGS;
  const json = readJson(text);
  if (!json.ok) {
    mistakes.push(`${path} ${json.where}: ${json.problem}`);
    return DEFAULT_SETTINGS;
  }
  const reading = parseSettings(json.value);
  if (reading.ok) return reading.settings;
  mistakes.push(...describeAll(path, reading.mistakes));
  return DEFAULT_SETTINGS;
}

function checkReleases(path: string, mistakes: string[]): void {
  const text = readText(path, mistakes);
  if (text === null) return;
  const reading = combineReleaseConfig({ file: text });
  if (!reading.ok) mistakes.push(...describeAll(path, reading.mistakes));
}

function readText(path: string, mistakes: string[]): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    mistakes.push(`${path} cannot be read: ${messageOf(error)}`);
    return null;
  }
}

function describeAll(path: string, mistakes: readonly Mistake[]): string[] {
  return mistakes.map((mistake) => describeMistake({ ...mistake, source: path }));
}
