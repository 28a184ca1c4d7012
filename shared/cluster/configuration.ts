import { type InputValue, isCount } from '../input/input-value.ts';
import { type LabelSelector, readSelector } from './labels.ts';

/** ImageDigestMirrorSet, ImageTagMirrorSet or ImageContentSourcePolicy. */
export interface MirrorSetFacts {
  readonly name: string;
  readonly mirrors: readonly { readonly source: string; readonly mirrors: readonly string[] }[];
}

/** List of mirrors in `spec`, by kind. */
const MIRROR_LISTS = {
  ImageDigestMirrorSet: 'imageDigestMirrors',
  ImageTagMirrorSet: 'imageTagMirrors',
  ImageContentSourcePolicy: 'repositoryDigestMirrors',
} as const;
export type MirrorKind = keyof typeof MIRROR_LISTS;

export function readMirrorSet(kind: MirrorKind): (object: InputValue) => MirrorSetFacts {
  return (object) => ({
    name: nameOf(object),
    mirrors: object
      .at('spec', MIRROR_LISTS[kind])
      .items()
      .map((mirror) => ({ source: mirror.at('source').text(), mirrors: mirror.at('mirrors').texts() })),
  });
}

export function mirrorSetSpec(kind: MirrorKind, { mirrors }: MirrorSetFacts): object {
  return { [MIRROR_LISTS[kind]]: mirrors };
}

export interface MachineConfigurationFacts {
  /** Null if boot images are not configured; an empty list is an opt-out. */
  readonly bootImageManagers:
    | { readonly resource: string; readonly apiGroup: string; readonly mode: string }[]
    | null;
  /** Null if the cluster does not enforce a boot image skew. */
  readonly bootImageSkew: {
    readonly mode: string;
    readonly ocpVersion: string;
    readonly rhcosVersion: string;
  } | null;
}

export function readMachineConfiguration(object: InputValue): MachineConfigurationFacts {
  const managers = object.at('spec', 'managedBootImages', 'machineManagers');
  const skew = object.at('status', 'bootImageSkewEnforcementStatus');
  const versions = skew.at(skew.at('mode').text() === 'Manual' ? 'manual' : 'automatic');
  return {
    bootImageManagers: managers.isMissing
      ? null
      : managers.items().map((manager) => ({
          resource: manager.at('resource').text(),
          apiGroup: manager.at('apiGroup').text(),
          mode: manager.at('selection', 'mode').text(),
        })),
    bootImageSkew: skew.isMissing
      ? null
      : {
          mode: skew.at('mode').text(),
          ocpVersion: versions.at('ocpVersion').text(),
          rhcosVersion: versions.at('rhcosVersion').text(),
        },
  };
}

export interface CustomResourceFacts {
  readonly name: string;
  readonly group: string;
  readonly versions: readonly string[];
}

/** API groups whose custom resources a check reads. */
export const WATCHED_GROUPS = [
  'gateway.networking.k8s.io',
  'gateway.networking.x-k8s.io',
  'snapshot.storage.k8s.io',
] as const;

/** A definition is named `<resource>.<group>`. */
export function readCustomResource(object: InputValue): CustomResourceFacts | null {
  const group = object.at('spec', 'group').text() || nameOf(object).replace(/^[^.]*\./, '');
  if (!(WATCHED_GROUPS as readonly string[]).includes(group)) return null;
  const versions = object.at('spec', 'versions').items();
  return { name: nameOf(object), group, versions: versions.map((version) => version.at('name').text()) };
}

/** Custom resource definitions are large, and most are of other groups. */
export function mayBeWatched(text: string): boolean {
  return WATCHED_GROUPS.some((group) => text.includes(group));
}

export interface RouteFacts {
  readonly namespace: string;
  readonly name: string;
  readonly router: string;
  readonly message: string;
}

export const UNSERVABLE_ROUTE = 'UnservableInFutureVersions';

/** Null for a route that all routers of the next minor accept. */
export function readUnservableRoute(object: InputValue): RouteFacts | null {
  for (const ingress of object.at('status', 'ingress').items()) {
    for (const condition of ingress.at('conditions').items()) {
      const isMeant = condition.at('type').text() === UNSERVABLE_ROUTE;
      if (!isMeant || condition.at('status').text() !== 'True') continue;
      return {
        namespace: object.at('metadata', 'namespace').text(),
        name: nameOf(object),
        router: ingress.at('routerName').text(),
        message: condition.at('message').message(),
      };
    }
  }
  return null;
}

/** Null for a volume of another plugin. */
export function readVsphereVolume(object: InputValue): string | null {
  return object.at('spec', 'vsphereVolume').isMissing ? null : nameOf(object);
}

export interface CloudCredentialFacts {
  /** `Manual`, …; empty for the default. */
  readonly mode: string;
  /** Minor that the credentials are prepared for, as written; empty if unset. */
  readonly upgradeableTo: string;
}

export const UPGRADEABLE_TO = 'cloudcredential.openshift.io/upgradeable-to';

export function readCloudCredential(object: InputValue): CloudCredentialFacts {
  return {
    mode: object.at('spec', 'credentialsMode').text(),
    upgradeableTo: object.at('metadata', 'annotations', UPGRADEABLE_TO).text(),
  };
}

export interface NetworkMigrationFacts {
  readonly isInProgress: boolean;
  readonly message: string;
}

export const NETWORK_MIGRATION = 'NetworkTypeMigrationInProgress';

export function readNetworkMigration(object: InputValue): NetworkMigrationFacts {
  const condition = object
    .at('status', 'conditions')
    .items()
    .find((each) => each.at('type').text() === NETWORK_MIGRATION);
  return {
    isInProgress: condition?.at('status').text() === 'True',
    message: condition?.at('message').message() ?? '',
  };
}

/** ContainerRuntimeConfig. */
export interface RuntimeConfigFacts {
  readonly name: string;
  /** Empty for the default. */
  readonly runtime: string;
  readonly poolSelector: LabelSelector;
}

export function readRuntimeConfig(object: InputValue): RuntimeConfigFacts {
  const spec = object.at('spec');
  return {
    name: nameOf(object),
    runtime: spec.at('containerRuntimeConfig', 'defaultRuntime').text(),
    poolSelector: readSelector(spec.at('machineConfigPoolSelector')),
  };
}

/** Drop-in of a MachineConfig that sets the default container runtime. */
export interface MachineConfigFacts {
  readonly name: string;
  /** Pool that it is for, from its label. */
  readonly role: string;
  readonly runtime: string;
}

export const MACHINE_CONFIG_ROLE = 'machineconfiguration.openshift.io/role';
export const RUNTIME_DROP_INS = '/etc/crio/crio.conf.d/';
const DEFAULT_RUNTIME = /^\s*default_runtime\s*=\s*"([^"]*)"/m;
/** Longer data URLs are not drop-ins of a runtime. */
const LONGEST_DROP_IN = 65_536;

/** CRI-O reads drop-ins in the order of their paths, and the last one counts. Null if none sets the runtime. */
export function readMachineConfig(object: InputValue): MachineConfigFacts | null {
  const files = object
    .at('spec', 'config', 'storage', 'files')
    .items()
    .map((file) => ({ path: file.at('path').text(), source: file.at('contents', 'source').string() ?? '' }))
    .filter(({ path }) => path.startsWith(RUNTIME_DROP_INS))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const runtimes = files.flatMap(({ source }) => DEFAULT_RUNTIME.exec(textOfDataUrl(source))?.[1] ?? []);
  const runtime = runtimes.at(-1);
  if (runtime === undefined) return null;
  const role = object.at('metadata', 'labels', MACHINE_CONFIG_ROLE).text();
  return { name: nameOf(object), role, runtime };
}

/** Empty if the URL is not readable text. */
function textOfDataUrl(url: string): string {
  const [, encoding, data] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url.slice(0, LONGEST_DROP_IN)) ?? [];
  if (data === undefined) return '';
  try {
    return encoding === undefined ? decodeURIComponent(data) : atob(data);
  } catch {
    return '';
  }
}

export interface ConfigReleaseFacts {
  readonly name: string;
  /** Version of the release that rendered it. */
  readonly version: string;
}

export const RELEASE_OF_CONFIG = 'machineconfiguration.openshift.io/release-image-version';

/** Null for a source configuration, which belongs to no release. */
export function readConfigRelease(object: InputValue): ConfigReleaseFacts | null {
  const version = object.at('metadata', 'annotations', RELEASE_OF_CONFIG).textOrNull();
  return version === null ? null : { name: nameOf(object), version };
}

/** Image of the container that is named like its Deployment. */
export function readContainerImage(object: InputValue): string | null {
  const container = object
    .at('spec', 'template', 'spec', 'containers')
    .items()
    .find((each) => each.at('name').text() === nameOf(object));
  return container?.at('image').textOrNull() ?? null;
}

export interface OperatorConfigFacts {
  readonly kind: string;
  /** Absent for the objects of the cluster. */
  readonly namespace?: string;
  readonly name: string;
  /** Keys of `spec.unsupportedConfigOverrides`, sorted; empty for a configuration without, which was sent too. */
  readonly overrides: readonly string[];
}

export function readOperatorConfig(kind: string): (object: InputValue) => OperatorConfigFacts {
  return (object) => {
    const namespace = object.at('metadata', 'namespace').text();
    const overrides = object.at('spec', 'unsupportedConfigOverrides').sortedEntries();
    return {
      kind,
      ...(namespace !== '' && { namespace }),
      name: nameOf(object),
      overrides: overrides.map(([key]) => key),
    };
  };
}

/** A kind that was sent without an object has no overrides. */
export class OperatorConfigs {
  readonly #configs = new Map<string, OperatorConfigFacts>();
  readonly #empty = new Set<string>();

  supply(kind: string): void {
    this.#empty.add(kind);
  }

  take(object: InputValue, namespace: string, name: string, { kind }: { readonly kind: string }): void {
    this.#configs.set(JSON.stringify([kind, namespace, name]), readOperatorConfig(kind)(object));
  }

  value(): OperatorConfigFacts[] | null {
    const kinds = new Set(Array.from(this.#configs.values(), ({ kind }) => kind));
    const empty = [...this.#empty].filter((kind) => !kinds.has(kind));
    for (const kind of empty) {
      this.#configs.set(JSON.stringify([kind, '', '']), { kind, name: 'cluster', overrides: [] });
    }
    if (this.#configs.size === 0) return null;
    return Array.from(this.#configs)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, facts]) => facts);
  }
}

export function nameOf(object: InputValue): string {
  return object.at('metadata', 'name').text();
}

/** A number of machines or pods, or a share such as `10%`. */
export function readShare(value: InputValue): number | string | null {
  return value.parsed(parseShare, 'a whole number or a share such as 10%');
}

function parseShare(value: unknown): number | string | null {
  if (typeof value === 'string') return /^\d{1,3}%$/.test(value) ? value : null;
  return isCount(value) ? value : null;
}

export interface ConfigEntry {
  readonly key: string;
  readonly value: string;
}

export interface InfrastructureFacts {
  readonly platform: string | null;
  /** Azure cloud, such as `AzureStackCloud`; absent on other platforms. */
  readonly azureCloud?: string;
  /** `HighlyAvailable`, `SingleReplica`, `External`, … */
  readonly controlPlaneTopology: string | null;
}

/** `data` in the order of its keys. */
export function readConfigMap(object: InputValue): ConfigEntry[] {
  return object
    .at('data')
    .sortedEntries()
    .map(([key, value]) => ({ key, value: value.message() }));
}

export function readInfrastructure(object: InputValue): InfrastructureFacts {
  const status = object.at('status');
  const azureCloud = status.at('platformStatus', 'azure', 'cloudName').textOrNull();
  return {
    platform: status.at('platformStatus', 'type').textOrNull(),
    ...(azureCloud !== null && { azureCloud }),
    controlPlaneTopology: status.at('controlPlaneTopology').textOrNull(),
  };
}
