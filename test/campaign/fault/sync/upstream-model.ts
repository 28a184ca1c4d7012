import type { FetchResult } from '../../../../functions/outbound/cincinnati.ts';
import type { Random } from '../../../helpers/random.ts';

/** A graph as sets, so that two of them can be compared without any code of the product. */
export interface PlainGraph {
  /** Payload by version. */
  readonly nodes: ReadonlyMap<string, string>;
  /** `from>to`, with `?` and the names of its risks where it is conditional. */
  readonly edges: ReadonlySet<string>;
}

/** Something upstream really said, when it was asked. */
export interface GivenAnswer {
  /** Later ones have higher numbers. */
  readonly number: number;
  readonly pair: string;
  readonly actor: string;
  readonly at: number;
  readonly graph: PlainGraph;
}

/** How upstream is at the moment with a channel. */
type Mood = 'well' | 'down' | 'garbage' | 'empty' | 'shrunken' | 'nothing-usable';

interface Channel {
  readonly minor: string;
  readonly arch: string;
  readonly versions: Map<string, string>;
  readonly plain: Set<string>;
  readonly conditional: Map<string, string>;
  mood: Mood;
}

const FIRST_VERSIONS = 8;
const RISKS = ['SlowDisks', 'LostRoutes'];

/** An update service that evolves by the dice: releases come and go, edges are dropped or get a risk, and it fails. */
export class UpstreamModel {
  readonly given: GivenAnswer[] = [];
  /** Nothing answers. */
  isDown = false;
  readonly #channels = new Map<string, Channel>();
  readonly #random: Random;

  constructor(random: Random, pairs: readonly { readonly channel: string; readonly arch: string }[]) {
    this.#random = random;
    for (const { channel, arch } of pairs) {
      const minor = channel.split('-')[1]!;
      const made: Channel = {
        minor,
        arch,
        versions: new Map(),
        plain: new Set(),
        conditional: new Map(),
        mood: 'well',
      };
      this.#channels.set(`${channel}/${arch}`, made);
      for (let patch = 0; patch < FIRST_VERSIONS; patch++) addVersion(made, `${minor}.${patch}`);
    }
  }

  /** What it says of a pair now; what can be taken for an answer is remembered. */
  ask(channel: string, arch: string, actor: string): FetchResult {
    const pair = `${channel}/${arch}`;
    const found = this.#channels.get(pair);
    if (!found || this.isDown || found.mood === 'down') {
      return { ok: false, code: 'BadStatus', detail: 'planted', attempts: 3 };
    }
    const answer = answerOf(found);
    if (found.mood !== 'garbage' && found.mood !== 'nothing-usable') {
      const number = this.given.length;
      this.given.push({ number, pair, actor, at: Date.now(), graph: plainGraph(answer) });
    }
    return { ok: true, answer, bytes: 1, attempts: 1 };
  }

  /** Something changes; tells what. */
  evolve(): string {
    const [pair, channel] = this.#random.pick([...this.#channels]);
    const versions = [...channel.versions.keys()];
    const change = this.#random.pick([
      'new version',
      'new version',
      'version gone',
      'edge gone',
      'edge conditional',
      'edge plain',
      'payload changed',
      'mood',
      'mood',
    ] as const);
    switch (change) {
      case 'new version':
        addVersion(channel, `${channel.minor}.${nextPatch(channel)}`);
        break;
      case 'version gone':
        if (versions.length > 6) removeVersion(channel, this.#random.pick(versions));
        break;
      case 'edge gone':
        if (channel.plain.size > 3) channel.plain.delete(this.#random.pick([...channel.plain]));
        break;
      case 'edge conditional': {
        const edge = this.#random.pick([...channel.plain]);
        channel.plain.delete(edge);
        channel.conditional.set(edge, this.#random.pick(RISKS));
        break;
      }
      case 'edge plain': {
        const [edge] = channel.conditional.keys();
        if (edge !== undefined) {
          channel.conditional.delete(edge);
          channel.plain.add(edge);
        }
        break;
      }
      case 'payload changed': {
        const version = this.#random.pick(versions);
        channel.versions.set(version, payloadOf(`${version}-${this.#random.below(1000)}`, channel.arch));
        break;
      }
      case 'mood':
        channel.mood = this.#random.pick(['down', 'garbage', 'empty', 'shrunken', 'nothing-usable']);
        return `${pair} is ${channel.mood}`;
    }
    channel.mood = 'well';
    return `${change} in ${pair}`;
  }

  /** Everything answers again. */
  recover(): void {
    this.isDown = false;
    for (const channel of this.#channels.values()) channel.mood = 'well';
  }

  addEverywhere(): void {
    for (const channel of this.#channels.values()) {
      addVersion(channel, `${channel.minor}.${nextPatch(channel)}`);
    }
  }

  /** What it would say of a pair that is well. */
  now(pair: string): PlainGraph {
    return plainGraph(answerOf({ ...this.#channels.get(pair)!, mood: 'well' }));
  }

  /** For scenarios: changes a channel by hand. */
  change(pair: string, change: 'new version' | 'version gone' | 'edge gone' | Mood): void {
    const channel = this.#channels.get(pair)!;
    if (change === 'new version') addVersion(channel, `${channel.minor}.${nextPatch(channel)}`);
    else if (change === 'version gone') removeVersion(channel, [...channel.versions.keys()][2]!);
    else if (change === 'edge gone') channel.plain.delete([...channel.plain][1]!);
    else channel.mood = change;
  }
}

function addVersion(channel: Channel, version: string): void {
  for (const earlier of [...channel.versions.keys()].slice(-3)) channel.plain.add(`${earlier}>${version}`);
  channel.versions.set(version, payloadOf(version, channel.arch));
}

function removeVersion(channel: Channel, version: string): void {
  channel.versions.delete(version);
  const leadsThere = (edge: string) => edge.startsWith(`${version}>`) || edge.endsWith(`>${version}`);
  for (const edge of [...channel.plain].filter(leadsThere)) channel.plain.delete(edge);
  for (const edge of [...channel.conditional.keys()].filter(leadsThere)) channel.conditional.delete(edge);
}

/** A patch that this channel never had: what is gone may come back only as itself. */
function nextPatch({ versions, plain }: Channel): number {
  const patches = [...versions.keys(), ...[...plain].flatMap((edge) => edge.split('>'))].map((version) =>
    Number(version.split('.')[2]),
  );
  return Math.max(...patches) + 1;
}

function payloadOf(text: string, arch: string): string {
  const digest = Buffer.from(`${text}/${arch}`).toString('hex').padStart(64, '0').slice(-64);
  return `quay.io/openshift-release-dev/ocp-release@sha256:${digest}`;
}

interface CincinnatiAnswer {
  readonly nodes: readonly { readonly version: string; readonly payload: string }[];
  readonly edges: readonly (readonly [number, number])[];
  readonly conditionalEdges: readonly {
    readonly edges: readonly { readonly from: string; readonly to: string }[];
    readonly risks: readonly { readonly name: string }[];
  }[];
}

function answerOf({ versions, plain, conditional, mood }: Channel): CincinnatiAnswer {
  if (mood === 'garbage') return { error: 'try again later' } as unknown as CincinnatiAnswer;
  if (mood === 'empty') return { nodes: [], edges: [], conditionalEdges: [] };
  const kept = new Map(mood === 'shrunken' ? [...versions].slice(0, 2) : versions);
  const nodes = [...kept].map(([version, payload]) => ({
    version: mood === 'nothing-usable' ? `no version ${version}` : version,
    payload,
    metadata: {},
  }));
  const indexes = new Map([...kept.keys()].map((version, index) => [version, index]));
  const isKept = (edge: string) => edge.split('>').every((version) => indexes.has(version));
  return {
    nodes,
    edges: [...plain].filter(isKept).map((edge) => {
      const [from, to] = edge.split('>');
      return [indexes.get(from!)!, indexes.get(to!)!] as const;
    }),
    conditionalEdges: [...conditional]
      .filter(([edge]) => isKept(edge))
      .map(([edge, name]) => {
        const [from, to] = edge.split('>');
        return {
          edges: [{ from: from!, to: to! }],
          risks: [
            {
              name,
              url: `https://example.com/${name}`,
              message: `${name} may happen`,
              matchingRules: [{ type: 'Always' }],
            },
          ],
        };
      }),
  };
}

/** A graph in Cincinnati form, from upstream or from a reader, as sets. */
export function plainGraph({ nodes, edges, conditionalEdges }: CincinnatiAnswer): PlainGraph {
  return {
    nodes: new Map(nodes.map(({ version, payload }) => [version, payload])),
    edges: new Set([
      ...edges.map(([from, to]) => `${nodes[from]!.version}>${nodes[to]!.version}`),
      ...conditionalEdges.flatMap(({ edges: group, risks }) =>
        group.map(
          ({ from, to }) =>
            `${from}>${to}?${risks
              .map(({ name }) => name)
              .toSorted()
              .join()}`,
        ),
      ),
    ]),
  };
}
