import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PageSpeed, PageSpeedMessage } from '../../../helpers/browser/page-speed-report.ts';
import { recordedUpstream, type StubSource } from '../../../helpers/upstream/cincinnati-stub.ts';
import { LARGE_CHANNEL, LARGE_MINORS, largeSource } from '../../../helpers/upstream/large-upstream.ts';
import { RECORDED_UPSTREAM } from '../../../helpers/upstream/recorded-data.ts';
import { followAll } from '../channel-set.ts';
import { startConsoleSite } from '../console-site.ts';
import { type Finding, ratio, type Row } from '../row.ts';

/** In a process of its own, whose code runs in pages as well. */
const PAGE_SPEED = fileURLToPath(new URL('../../../helpers/browser/page-speed.ts', import.meta.url));

interface Subject {
  readonly name: string;
  readonly source: () => StubSource;
  readonly channel: string;
  /** A plan with all lanes open. */
  readonly path: string;
}

const large: Subject = {
  name: 'drawn',
  source: () => largeSource,
  channel: LARGE_CHANNEL,
  path: `/?from=4.10.5&to=4.17.70&channel=${LARGE_CHANNEL}&risks=allow&minors=${LARGE_MINORS.join()}`,
};

const recorded: Subject = {
  name: 'recorded',
  source: () => recordedUpstream(RECORDED_UPSTREAM),
  channel: 'eus-4.16',
  path: '/?from=4.14.30&channel=eus-4.16&risks=allow&minors=4.14,4.15,4.16',
};

/** How the console feels on a large channel, each against its limit on two cores without a graphics card. */
export const consolePages: readonly Row[] = [large, recorded].map((subject) => ({
  name: `console page, ${subject.name}`,
  run: (folder) => findingsOf(folder, subject),
}));

async function findingsOf(folder: string, { name, source, channel, path }: Subject): Promise<Finding[]> {
  const config = followAll({ name: 'recorded', pairs: [{ channel, arch: 'amd64' }], answer: () => '' });
  const site = await startConsoleSite(folder, source(), config);
  try {
    const speed = await measure(site.url + path);
    if ('without' in speed) {
      process.stderr.write(`nothing is said of the console: ${speed.without}\n`);
      return [];
    }
    const of = `${channel} (${name}: ${speed.releases} releases)`;
    return [
      against(`first render of ${of}, median`, percentile(speed.loads, 0.5), 500, 'ms'),
      against(`selection in ${of}, p95`, percentile(speed.selections, 0.95), 120, 'ms'),
      against(`a frame of panning ${of}, average`, speed.panFrame, 25, 'ms'),
      against(`page heap with ${of}`, speed.heapMegabytes, 20, 'MB'),
      against(`elements of the page with ${of}`, speed.elements, 6000, 'elements'),
    ];
  } finally {
    await site.close();
  }
}

async function measure(address: string): Promise<PageSpeedMessage> {
  const child = fork(PAGE_SPEED, [address]);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the browser was not measured: its process ended with ${code}`);
  });
  const [speed] = (await Promise.race([once(child, 'message'), failed])) as [PageSpeed];
  failed.catch(() => {});
  return speed;
}

function against(what: string, measured: number, limit: number, unit: string): Finding {
  return ratio(`console: ${what} / ${limit} ${unit}`, measured / limit, 1);
}

function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
