import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import type { ReleaseNode } from '@cairn/shared/graph/graph';
import type { ReleaseRow } from '@cairn/shared/releases/catalogue';
import type { ConfigPair } from '@cairn/shared/releases/sources';
import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { type Minor, minorOf } from '@cairn/shared/version/minor';
import { parseVersion, type ReleaseVersion } from '@cairn/shared/version/release-version';
import { addRelease, listReleases } from '../releases/rows.ts';
import type { Table } from '../store/table.ts';
import type { SyncLimits } from './run.ts';

type AddOutcome =
  | { readonly ok: true; readonly added: readonly string[]; readonly conflicts: readonly string[] }
  | { readonly ok: false; readonly detail: string };

interface OwnRelease {
  readonly version: ReleaseVersion;
  readonly payload: string;
}

/** Release rows of one run, loaded on first use and extended with its additions. */
export class ReleaseRows {
  readonly #table: Table;
  readonly #limits: SyncLimits;
  /** Last write of each lane. All channels share the lanes, so the write limit applies to the whole run. */
  readonly #lanes: Promise<void>[];
  #laneNumber = 0;
  readonly #waiting = new Map<string, { readonly channels: Set<string>; readonly written: Promise<void> }>();
  #loaded: Promise<Map<Arch, Map<string, ReleaseRow>>> | null = null;

  constructor(table: Table, limits: SyncLimits) {
    this.#table = table;
    this.#limits = limits;
    this.#lanes = Array.from({ length: limits.rowWritesAtOnce }, async () => {});
  }

  async all(): Promise<ReleaseRow[]> {
    const byArch = await this.#load();
    return [...byArch.values()].flatMap((rows) => [...rows.values()]);
  }

  /** Adds releases of the pair's own minor only, because a channel also lists older ones. */
  async add(pair: ConfigPair, nodes: readonly ReleaseNode[], seenAt: string): Promise<AddOutcome> {
    const byArch = await this.#load();
    const rows = byArch.get(pair.arch)!;
    const own = nodes.flatMap((node): OwnRelease[] => {
      const version = parseVersion(node.version);
      return version && minorOf(version) === pair.minor ? [{ version, payload: node.payload }] : [];
    });
    const fresh = own.filter(({ version }) => !rows.has(version.raw));
    const refusal = this.#refusal(byArch, rows, pair.minor, fresh.length);
    if (refusal) return { ok: false, detail: refusal };

    const touched = own.filter(({ version }) => !rows.get(version.raw)?.channels.includes(pair.channel));
    await mapConcurrent(touched, Infinity, (release) => this.#addOne(rows, pair, release, seenAt));
    return {
      ok: true,
      added: fresh.map(({ version }) => version.raw),
      conflicts: own
        .filter(({ version, payload }) => rows.get(version.raw)?.payload !== payload)
        .map(({ version }) => version.raw),
    };
  }

  /** Channels of one minor run concurrently and list the same versions: pending additions merge into one write. */
  #addOne(rows: Map<string, ReleaseRow>, pair: ConfigPair, found: OwnRelease, seenAt: string): Promise<void> {
    const key = `${pair.arch}/${found.version.raw}`;
    const waiting = this.#waiting.get(key);
    if (waiting) {
      waiting.channels.add(pair.channel);
      return waiting.written;
    }
    const channels = new Set([pair.channel]);
    const written = this.#inLane(async () => {
      this.#waiting.delete(key);
      const { version, payload } = found;
      await addRelease(this.#table, { version, arch: pair.arch, channels, payload, seenAt });
      const known = rows.get(version.raw) ?? {
        version: version.raw,
        arch: pair.arch,
        channels: [],
        payload,
        firstSeenAt: seenAt,
      };
      rows.set(version.raw, {
        ...known,
        channels: [...new Set([...known.channels, ...channels])].toSorted(),
      });
    });
    this.#waiting.set(key, { channels, written });
    return written;
  }

  #inLane(write: () => Promise<void>): Promise<void> {
    const lane = this.#laneNumber++ % this.#lanes.length;
    const written = this.#lanes[lane]!.then(write);
    this.#lanes[lane] = written.catch(() => {});
    return written;
  }

  #refusal(
    byArch: Map<Arch, Map<string, ReleaseRow>>,
    rows: Map<string, ReleaseRow>,
    minor: Minor,
    fresh: number,
  ): string | null {
    const { versionsPerMinor, versionsInAll } = this.#limits;
    const inMinor = [...rows.values()].filter((row) => row.version.startsWith(`${minor}.`)).length;
    if (inMinor + fresh > versionsPerMinor) {
      return `${fresh} new versions would make ${inMinor + fresh} of ${minor}, at most ${versionsPerMinor} are kept`;
    }
    const inAll = [...byArch.values()].reduce((sum, some) => sum + some.size, 0);
    if (inAll + fresh > versionsInAll) {
      return `${fresh} new versions would make ${inAll + fresh} in all, at most ${versionsInAll} are kept`;
    }
    return null;
  }

  #load(): Promise<Map<Arch, Map<string, ReleaseRow>>> {
    this.#loaded ??= Promise.all(
      ARCHES.map(async (arch) => {
        const rows = await listReleases(this.#table, arch);
        return [arch, new Map(rows.map((row) => [row.version, row]))] as const;
      }),
    ).then((entries) => new Map(entries));
    return this.#loaded;
  }
}
