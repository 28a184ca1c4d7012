import { configPairs, parseReleaseConfig, type ReleaseConfig } from '@cairn/shared/releases/sources';

/** What the sync is told to follow, and since when it need not follow the rest. */
export class Configuration {
  /** As it is written, and as it is read. */
  input: object;
  config: ReleaseConfig;
  readonly #minors: readonly string[];
  /** When each minor was last taken out; those that are in are not here. */
  readonly removed = new Map<string, number>();
  /** When each minor came back that was out before. */
  readonly returned = new Map<string, number>();

  constructor(minors: readonly string[]) {
    this.#minors = minors;
    this.input = inputOf(minors, []);
    this.config = parsed(this.input);
  }

  get pairs(): readonly string[] {
    return configPairs(this.config).map(({ channel, arch }) => `${channel}/${arch}`);
  }

  /** Only these minors from now on; those that are confirmed may go. */
  put(minors: readonly string[], confirmed: readonly string[]): void {
    for (const minor of this.#minors) {
      if (minors.includes(minor)) {
        if (this.removed.delete(minor)) this.returned.set(minor, Date.now());
      } else if (!this.removed.has(minor)) this.removed.set(minor, Date.now());
    }
    this.input = inputOf(minors, confirmed);
    this.config = parsed(this.input);
  }
}

function parsed(input: object): ReleaseConfig {
  const reading = parseReleaseConfig(input);
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.config;
}

/** Stable and fast of the first minor, stable of the others. */
function inputOf(minors: readonly string[], confirmed: readonly string[]): object {
  return {
    release_sources: minors.map((minor) => ({
      openshift_version: minor,
      upgrade_channels: [
        { cpu_architecture: 'x86_64', channels: minor === '4.12' ? ['stable', 'fast'] : ['stable'] },
      ],
    })),
    ...(confirmed.length > 0 && { confirm_removal: confirmed }),
  };
}
