import { parseReleaseConfig, type ReleaseConfig } from '@cairn/shared/releases/sources';
import { type Arch, ARCHES, cpuArchitectureOf } from '@cairn/shared/version/arch';
import { DEMO_CHANNELS } from '../../../infra/local/demo/channels.ts';
import { demoGraph } from '../../../infra/local/demo/graph.ts';
import { listRecordedPairs } from '../../helpers/upstream/cincinnati-stub.ts';
import {
  isRecordedDataPresent,
  readRecorded,
  RECORDED_UPSTREAM,
} from '../../helpers/upstream/recorded-data.ts';

export type ChannelSetName = 'demo' | 'recorded';

export interface ChannelPair {
  readonly channel: string;
  readonly arch: Arch;
}

/** Channels to measure with: demo ones, which everybody has, or answers of the public service that were recorded. */
export interface ChannelSet {
  readonly name: ChannelSetName;
  readonly pairs: readonly ChannelPair[];
  /** The answer for a pair, as the update service words it. */
  answer(pair: ChannelPair): string;
}

const demo: ChannelSet = {
  name: 'demo',
  pairs: DEMO_CHANNELS.flatMap((channel) => ARCHES.map((arch) => ({ channel, arch }))),
  answer: ({ channel, arch }) => JSON.stringify(demoGraph(channel, arch)),
};

const recorded: ChannelSet = {
  name: 'recorded',
  get pairs() {
    return listRecordedPairs(RECORDED_UPSTREAM) as ChannelPair[];
  },
  answer: ({ channel, arch }) => readRecorded(channel, arch),
};

export const channelSets: readonly ChannelSet[] = [demo, recorded];

/** Whether what is named, such as `path solve, recorded`, has its data here. */
export function canMeasure(name: string): boolean {
  return isRecordedDataPresent || !name.endsWith('recorded');
}

/** The pair whose answer is longest, with that answer. */
export function largestAnswer(channels: ChannelSet): { readonly pair: ChannelPair; readonly text: string } {
  const [first, ...others] = channels.pairs.map((pair) => ({ pair, text: channels.answer(pair) }));
  if (first === undefined) throw new Error(`there are no ${channels.name} channels`);
  return others.reduce((largest, next) => (next.text.length > largest.text.length ? next : largest), first);
}

/** A configuration that follows every channel of the set. */
export function followAll({ pairs }: ChannelSet): ReleaseConfig {
  const reading = parseReleaseConfig({
    release_sources: [...Map.groupBy(pairs, ({ channel }) => minorIn(channel))].map(([minor, ofMinor]) => ({
      openshift_version: minor,
      upgrade_channels: [...Map.groupBy(ofMinor, ({ arch }) => arch)].map(([arch, ofArch]) => ({
        cpu_architecture: cpuArchitectureOf(arch),
        channels: ofArch.map(({ channel }) => channel.slice(0, channel.indexOf('-'))),
      })),
    })),
  });
  if (!reading.ok) throw new Error(`not a configuration: ${JSON.stringify(reading.mistakes)}`);
  return reading.config;
}

/** `stable-4.14` is of 4.14. */
function minorIn(channel: string): string {
  return channel.slice(channel.indexOf('-') + 1);
}
