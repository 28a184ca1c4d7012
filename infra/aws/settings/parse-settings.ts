import { HISTORY_LIMIT } from '@cairn/shared/prune/history/archive';
import { ConfigNode, type ConfigMistake } from '@cairn/shared/input/input-value';
import { showValue } from '@cairn/shared/text/quote';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { readAccess } from './read-access.ts';
import {
  readAlarms,
  readDomain,
  readNews,
  readPermissionsBoundary,
  readStage,
  readTableName,
  readTags,
} from './read-settings.ts';
import { readRegistryBuckets } from './registry-settings.ts';
import { isHostName, readBoolean, readCount, readHttpsUrl, readList, readShape } from './setting-values.ts';
import { type AccessSettings, DEFAULT_SETTINGS, type DeploySettings } from './settings.ts';

export type SettingsReading =
  | { readonly ok: true; readonly settings: DeploySettings }
  | { readonly ok: false; readonly mistakes: readonly ConfigMistake[] };

const SETTING_NAMES = Object.keys(DEFAULT_SETTINGS) as (keyof DeploySettings)[];

const RETENTIONS = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);
const RETENTIONS_TEXT = `one of ${RETENTIONS.join(', ')}`;
const REGION = /^[a-z]{2}-[a-z]+-\d$/;
const REGION_TEXT = 'a region that has Origin Shield, such as "eu-central-1"';
const PAYLOAD_HOSTS = { accepted: 'host names, such as ["quay.io"]', isAccepted: isHostName };

/** Reads the parsed settings file; what it leaves out has its default, and every mistake is told at once. */
export function parseSettings(input: unknown): SettingsReading {
  const mistakes: ConfigMistake[] = [];
  const fields = new ConfigNode(input, mistakes, 'settings').fields([], SETTING_NAMES);
  const read = <Name extends keyof DeploySettings>(
    name: Name,
    reader: (node: ConfigNode) => DeploySettings[Name] | null,
  ): DeploySettings[Name] => {
    const node = fields.get(name);
    return (node && reader(node)) ?? DEFAULT_SETTINGS[name];
  };
  const access = read('access', readAccess);
  const settings: DeploySettings = {
    stage: read('stage', readStage),
    access,
    alarms: read('alarms', readAlarms),
    news: read('news', readNews),
    domain: read('domain', readDomain),
    cloudFront: read('cloudFront', (node) => readCloudFront(node, access, mistakes)),
    originShieldRegion: read('originShieldRegion', (node) =>
      readShieldRegion(node, fields.get('cloudFront')),
    ),
    permissionsBoundary: read('permissionsBoundary', readPermissionsBoundary),
    tags: read('tags', readTags),
    restoredTable: read('restoredTable', readTableName),
    syncIntervalMinutes: read('syncIntervalMinutes', (node) => readCount(node, 'minutes', 5, 1440)),
    watchIntervalMinutes: read('watchIntervalMinutes', (node) => readCount(node, 'minutes', 5, 1440)),
    fleetIntervalMinutes: read('fleetIntervalMinutes', (node) => readCount(node, 'minutes', 1, 1440)),
    retirementGraceDays: read('retirementGraceDays', (node) => readCount(node, 'days', 1, 365)),
    historyLimit: read('historyLimit', (node) =>
      readCount(node, 'entries', HISTORY_LIMIT.least, HISTORY_LIMIT.most),
    ),
    logRetentionDays: read('logRetentionDays', readRetention),
    graphUrl: read('graphUrl', readHttpsUrl),
    payloadHosts: read('payloadHosts', (node) => readList(node, PAYLOAD_HOSTS)),
    registryBuckets: read('registryBuckets', readRegistryBuckets),
  };
  return mistakes.length > 0 ? { ok: false, mistakes } : { ok: true, settings };
}

/** It keeps answers that are open to everyone; without any there is nothing that it may keep. */
function readCloudFront(
  node: ConfigNode,
  { publicReleaseData }: AccessSettings,
  mistakes: readonly ConfigMistake[],
): boolean | null {
  const isOn = readBoolean(node);
  const isAccessUnclear = mistakes.some(({ pointer }) => pointer.startsWith('/access'));
  if (isOn && publicReleaseData === 'none' && !isAccessUnclear) {
    return node.refuse(
      'true needs release data that is open to everyone',
      'true together with "graph" or "all" for access.publicReleaseData, otherwise false',
    );
  }
  return isOn;
}

/** AWS adds regions that have one, so only the shape is checked. */
function readShieldRegion(node: ConfigNode, cloudFront: ConfigNode | undefined): string | null {
  if (cloudFront === undefined || cloudFront.value === false) {
    return node.refuse(
      'a shield needs CloudFront',
      'a region together with true for cloudFront, otherwise nothing',
    );
  }
  return readShape(node, REGION, 'the name of a region', REGION_TEXT);
}

function readRetention(node: ConfigNode): RetentionDays | null {
  const retention = RETENTIONS.find((days) => days === node.value);
  return (
    retention ?? node.refuse(`${showValue(node.value)} is not a retention of CloudWatch`, RETENTIONS_TEXT)
  );
}
