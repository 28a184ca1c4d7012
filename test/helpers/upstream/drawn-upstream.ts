import { cpuArchitectureOf, type Arch } from '@cairn/shared/version/arch';
import { anAnswer, CHANNELS, payloadOf } from '../path/answers.ts';
import { drawnParts } from '../path/channels.ts';
import type { StubSource } from './cincinnati-stub.ts';

/** Channels per architecture, drawn as in `test/helpers/path/channels.ts`. */
export type DrawnUpstream = Readonly<Partial<Record<Arch, Readonly<Record<string, readonly string[]>>>>>;

/** Responses of the update service. Every release names its channels; each architecture has its own images. */
export function drawnSource(upstream: DrawnUpstream): StubSource {
  return (channel, arch) => {
    const channels = upstream[arch as Arch] ?? {};
    const edges = channels[channel];
    if (!edges) return null;
    const answer = anAnswer(...drawnParts(...edges));
    const holders = (version: string): string[] =>
      Object.keys(channels).filter((name) => drawnParts(...channels[name]!)[0].includes(version));
    return {
      ...answer,
      nodes: answer.nodes.map(({ version }) => ({
        version,
        payload: payloadOf(`${version as string}${arch}`),
        metadata: {
          [CHANNELS]: holders(version as string).join(','),
          url: `https://access.redhat.com/errata/${version as string}`,
        },
      })),
    };
  };
}

export function drawnConfig(upstream: DrawnUpstream) {
  const pairs = Object.entries(upstream).flatMap(([arch, channels]) =>
    Object.keys(channels).map((channel) => {
      const [prefix, minor] = channel.split('-') as [string, string];
      return { arch: arch as Arch, prefix, minor };
    }),
  );
  return {
    release_sources: [...Map.groupBy(pairs, ({ minor }) => minor)].map(([minor, sameMinor]) => ({
      openshift_version: minor,
      upgrade_channels: [...Map.groupBy(sameMinor, ({ arch }) => arch)].map(([arch, same]) => ({
        cpu_architecture: cpuArchitectureOf(arch),
        channels: same.map(({ prefix }) => prefix),
      })),
    })),
  };
}
