import { isObject } from '../../input/input-value.ts';
import type { Arch } from '../../version/arch.ts';
import { parseVersion } from '../../version/release-version.ts';
import type { ReleaseNode } from '../graph.ts';
import type { Repairs } from './repairs.ts';
import { refuse, type Refusal, isHttpUrl, quoted } from './shape.ts';

const ARCHITECTURE_KEY = 'release.openshift.io/architecture';
const CHANNELS_KEY = 'io.openshift.upgrades.graph.release.channels';
const URL_KEY = 'url';

const PAYLOAD_MAX_LENGTH = 512;
const PAYLOAD = /^([a-z0-9][a-z0-9.-]*(?::\d{1,5})?)(?:\/[a-z0-9][a-z0-9._-]*)+@sha256:[0-9a-f]{64}$/;
const CHANNEL = /^[0-9a-z.-]+$/;

export interface NodeRules {
  readonly arch: Arch;
  /** Allowed registry hosts (`quay.io`, `registry.example.com:5000`); any if omitted. */
  readonly payloadHosts?: readonly string[] | undefined;
}

export interface ReadNodes {
  readonly ok: true;
  readonly nodes: readonly ReleaseNode[];
  /** Per upstream node, its index in `nodes`, or -1 if dropped. */
  readonly places: Int32Array;
  readonly index: ReadonlyMap<string, number>;
  /** 1 if another version has the same release image: clients identify targets by image, so no edge can lead there. */
  readonly isAmbiguous: Uint8Array;
}

/** Drops nodes that no client can use, and cleans faulty metadata. */
export function readNodes(
  answer: readonly unknown[],
  rules: NodeRules,
  repairs: Repairs,
): ReadNodes | Refusal {
  const nodes: ReleaseNode[] = [];
  const places = new Int32Array(answer.length).fill(-1);
  const index = new Map<string, number>();
  const seen = new Set<string>();
  for (const [position, raw] of answer.entries()) {
    if (!isObject(raw)) {
      repairs.note('NodeNotObject', quoted(raw));
      continue;
    }
    const { version } = raw;
    if (typeof version !== 'string' || parseVersion(version) === null) {
      repairs.note('BadVersion', quoted(version));
      continue;
    }
    // Two release images for one version: either can be wrong.
    if (seen.has(version)) return refuse('DuplicateVersion', `version ${version} comes twice in nodes`);
    seen.add(version);
    const node = readNode(version, raw, rules, repairs);
    if (node === null) continue;
    places[position] = nodes.length;
    index.set(version, nodes.length);
    nodes.push(node);
  }
  return { ok: true, nodes, places, index, isAmbiguous: findSharedPayloads(nodes) };
}

function findSharedPayloads(nodes: readonly ReleaseNode[]): Uint8Array {
  const isShared = new Uint8Array(nodes.length);
  const firstWith = new Map<string, number>();
  for (const [position, { payload }] of nodes.entries()) {
    const first = firstWith.get(payload);
    if (first === undefined) firstWith.set(payload, position);
    else isShared[first] = isShared[position] = 1;
  }
  return isShared;
}

function readNode(
  version: string,
  raw: Record<string, unknown>,
  rules: NodeRules,
  repairs: Repairs,
): ReleaseNode | null {
  const { payload } = raw;
  if (typeof payload !== 'string' || !isPayload(payload, rules.payloadHosts)) {
    repairs.note('BadPayload', `${version} ${quoted(payload)}`);
    return null;
  }
  const metadata = readMetadata(version, raw['metadata'], repairs);
  // A response for one architecture can contain a multi release image by mistake; a cluster must not update to it.
  if (metadata[ARCHITECTURE_KEY] === 'multi' && rules.arch !== 'multi') {
    repairs.note('ForeignArch', version);
    return null;
  }
  return { version, payload, metadata };
}

function isPayload(payload: string, hosts: NodeRules['payloadHosts']): boolean {
  if (payload.length > PAYLOAD_MAX_LENGTH) return false;
  const host = PAYLOAD.exec(payload)?.[1];
  return host !== undefined && (hosts === undefined || hosts.includes(host));
}

/** Without a prototype, so that no key has a meaning in JavaScript. */
function readMetadata(version: string, raw: unknown, repairs: Repairs): Record<string, string> {
  const metadata = Object.create(null) as Record<string, string>;
  if (!isObject(raw)) {
    repairs.note('MetadataDropped', version);
    return metadata;
  }
  for (const key of Object.keys(raw)) {
    const value = raw[key];
    if (typeof value !== 'string' || key === '__proto__') {
      repairs.note('MetadataDropped', `${version} ${quoted(key)}`);
      continue;
    }
    const clean = cleanValue(version, key, value, repairs);
    if (clean !== null) metadata[key] = clean;
  }
  return metadata;
}

function cleanValue(version: string, key: string, value: string, repairs: Repairs): string | null {
  if (key === URL_KEY) return cleanUrl(version, value, repairs);
  if (key === CHANNELS_KEY) return cleanChannels(version, value, repairs);
  if (key === ARCHITECTURE_KEY && value !== 'multi') {
    repairs.note('ArchitectureDropped', `${version} ${quoted(value)}`);
    return null;
  }
  return value;
}

function cleanUrl(version: string, value: string, repairs: Repairs): string | null {
  const url = value.trim();
  if (!isHttpUrl(url)) {
    repairs.note('UrlDropped', `${version} ${quoted(value)}`);
    return null;
  }
  if (url !== value) repairs.note('UrlTrimmed', `${version} ${quoted(value)}`);
  return url;
}

function cleanChannels(version: string, value: string, repairs: Repairs): string | null {
  const names = value.split(',').map((name) => name.trim());
  const clean = [...new Set(names.filter((name) => CHANNEL.test(name)))].join(',');
  if (clean === value && clean !== '') return clean;
  repairs.note('ChannelsCleaned', `${version} ${quoted(value)}`);
  return clean === '' ? null : clean;
}
