import type { ClusterFacts } from '../../cluster/facts.ts';
import { ordinalOf } from '../../version/release-line.ts';
import { parseVersion } from '../../version/release-version.ts';
import { type Decision, NO, unknown, unlessSent, yes } from '../decision.ts';

type Facts = Pick<ClusterFacts, 'infrastructure' | 'machineConfiguration' | 'clusterVersion'>;

const MACHINE_SETS = { resource: 'machinesets', apiGroup: 'machine.openshift.io' } as const;

/** Azure cloud whose boot images the cluster does not update. */
const STACK_HUB = 'AzureStackCloud';

/** Platforms whose boot images the cluster updates. */
const UPDATED_PLATFORMS: ReadonlySet<string> = new Set(['AWS', 'GCP', 'Azure', 'VSphere']);

const OBJECT = { kind: 'MachineConfiguration', name: 'cluster' } as const;

/** The next minor starts to update boot images, and the cluster has no configuration for it. */
export function bootImagesUnconfigured(facts: Facts): Decision {
  const { infrastructure, machineConfiguration } = facts;
  const platform = infrastructure?.platform;
  if (infrastructure !== null && platform !== 'AWS' && platform !== 'GCP') return NO;
  if (machineConfiguration !== null && machineConfiguration.bootImageManagers !== null) return NO;
  return (
    unlessSent(facts, 'infrastructure', 'machineConfiguration') ??
    yes(`Boot images on ${platform} are not configured`, [OBJECT])
  );
}

/** As above for Azure and vSphere, where only a setting for machine sets counts. */
export function machineSetImagesUnconfigured(facts: Facts): Decision {
  const { infrastructure, machineConfiguration } = facts;
  const { platform, azureCloud } = infrastructure ?? {};
  const isMeant = platform === 'VSphere' || (platform === 'Azure' && azureCloud !== STACK_HUB);
  if (infrastructure !== null && !isMeant) return NO;
  if (machineConfiguration !== null && machineSetModes(machineConfiguration).length > 0) return NO;
  return (
    unlessSent(facts, 'infrastructure', 'machineConfiguration') ??
    yes(`Boot images of machine sets on ${platform} are not configured`, [OBJECT])
  );
}

function machineSetModes({ bootImageManagers }: NonNullable<Facts['machineConfiguration']>): string[] {
  return (bootImageManagers ?? [])
    .filter(
      ({ resource, apiGroup }) => resource === MACHINE_SETS.resource && apiGroup === MACHINE_SETS.apiGroup,
    )
    .map(({ mode }) => mode);
}

/** First release, and its RHEL, whose boot images the limit of 4.22 and later accepts. */
const OLDEST_RELEASE = 13;
const OLDEST_RHEL = [9, 2] as const;

/** The cluster reports boot images that are older than its limit. */
export function bootImagesTooOld({ machineConfiguration }: Facts): Decision {
  if (machineConfiguration === null) return unknown('machineConfiguration');
  const skew = machineConfiguration.bootImageSkew;
  if (skew === null || (skew.mode !== 'Automatic' && skew.mode !== 'Manual')) return NO;
  const release = parseVersion(skew.ocpVersion);
  if (release) {
    return ordinalOf(release) < OLDEST_RELEASE ? tooOld(`OpenShift ${release.raw}`, skew.mode) : NO;
  }
  const rhel = rhelOf(skew.rhcosVersion);
  const isOld =
    rhel !== null && (rhel[0] < OLDEST_RHEL[0] || (rhel[0] === OLDEST_RHEL[0] && rhel[1] < OLDEST_RHEL[1]));
  return isOld ? tooOld(`RHCOS ${skew.rhcosVersion}`, skew.mode) : NO;
}

function tooOld(version: string, mode: string): Decision {
  return yes(`New nodes boot from ${version}, older than OpenShift 4.13 and RHEL 9.2`, [
    { ...OBJECT, detail: { mode, bootImage: version } },
  ]);
}

/** `9.6.20251023-0` is RHEL 9.6, `411.86.202308081056-0` is RHEL 8.6. Null if it is neither. */
export function rhelOf(rhcos: string): readonly [number, number] | null {
  const [, first, second, build] = /^(\d+)\.(\d+)\.(\d+)(?:-|$)/.exec(rhcos) ?? [];
  if (first === undefined || second === undefined || build === undefined) return null;
  if (build.length === 8) return [Number(first), Number(second)];
  return build.length === 12 && second.length > 1
    ? [Number(second.slice(0, 1)), Number(second.slice(1))]
    : null;
}

/** The cluster was installed with old boot images, and nothing updates them. */
export function bootImagesMayBeOld(facts: Facts): Decision {
  const { infrastructure, machineConfiguration, clusterVersion } = facts;
  const installed = parseVersion(clusterVersion?.history.at(-1)?.version ?? '');
  if (clusterVersion !== null && (!installed || ordinalOf(installed) >= OLDEST_RELEASE)) return NO;
  // A cluster that reports its boot images is decided by them.
  if (machineConfiguration !== null && machineConfiguration.bootImageSkew !== null) return NO;
  if (!installed) return unknown('clusterVersion');
  if (infrastructure === null) return unlessSent(facts, 'infrastructure', 'machineConfiguration')!;
  const { platform, azureCloud } = infrastructure;
  if (UPDATED_PLATFORMS.has(platform ?? '') && azureCloud !== STACK_HUB) {
    if (machineConfiguration === null) return unknown('machineConfiguration');
    if (!hasOptedOut(machineConfiguration)) return NO;
  }
  return yes(
    `The cluster was installed with ${installed.raw}, and boot images on ${platform ?? 'its platform'} are not updated`,
    [{ kind: 'ClusterVersion', name: 'version', detail: { installed: installed.raw } }],
  );
}

function hasOptedOut(configuration: NonNullable<Facts['machineConfiguration']>): boolean {
  return (
    configuration.bootImageManagers !== null &&
    machineSetModes(configuration).every((mode) => mode === 'None')
  );
}
