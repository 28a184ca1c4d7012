import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findPath } from '@cairn/shared/path/find-path';
import { imageSets } from '@cairn/shared/path/image-set';
import { channelsOf, mirrorOfReleases, neededReleases } from '@cairn/shared/path/mirror-list';
import { PATH_RISK_MODES } from '@cairn/shared/path/values';
import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { isPrerelease } from '@cairn/shared/version/release-version';
import { describe, expect, it } from 'vitest';
import { graphOf } from '../../helpers/path/answers.ts';
import {
  type ChannelAnswer,
  type ChannelEntry,
  resolveFiles,
  resolveReleases,
} from '../../helpers/path/oc-mirror.ts';
import type { PlainAnswer } from '../../helpers/path/plain-releases.ts';
import { type DrawnReleases, releases } from '../../helpers/path/releases.ts';
import { Random } from '../../helpers/random.ts';
import { sized } from '../../helpers/size.ts';
import { listRecordedPairs } from '../../helpers/upstream/cincinnati-stub.ts';
import {
  isRecordedDataPresent,
  readRecorded,
  RECORDED_UPSTREAM,
} from '../../helpers/upstream/recorded-data.ts';

const CASES = fileURLToPath(new URL('../../../../shared/data/oc-mirror/cases.json', import.meta.url));
const hasCases = existsSync(CASES) && isRecordedDataPresent;
if (!hasCases)
  console.log('recorded resolutions are not at ../shared/data: image sets are not tested on them');

interface RecordedCase {
  readonly arch: string;
  readonly channels: readonly ChannelEntry[];
  readonly resolved: readonly string[];
  readonly error?: string;
}

const read = new Map<string, (PlainAnswer & ChannelAnswer) | null>();
const pairs = new Set(
  isRecordedDataPresent
    ? listRecordedPairs(RECORDED_UPSTREAM).map(({ channel, arch }) => `${channel}/${arch}`)
    : [],
);

function recorded(channel: string, arch: string): (PlainAnswer & ChannelAnswer) | null {
  const name = `${channel}/${arch}`;
  if (!read.has(name)) {
    const answer = pairs.has(name)
      ? (JSON.parse(readRecorded(channel, arch)) as PlainAnswer & ChannelAnswer)
      : null;
    read.set(name, answer);
  }
  return read.get(name)!;
}

describe.skipIf(!hasCases)('the restated resolution of oc-mirror', () => {
  const cases = hasCases ? (JSON.parse(readFileSync(CASES, 'utf8')) as RecordedCase[]) : [];

  it('selects what oc-mirror selected in every recorded case', () => {
    const outcomes = cases.map(({ arch, channels }) => {
      const { releases: found, error } = resolveReleases([arch], channels, recorded);
      return {
        arch,
        channels,
        ...(error !== null && { error }),
        resolved: found.map(({ version }) => version),
      };
    });
    expect(outcomes).toEqual(cases);
    expect(cases.length).toBeGreaterThan(90);
  });
});

/** All risks of channels on amd64, which has the recorded answers of the public service. */
function namesOfRisks(...channels: readonly string[]): string[] {
  const groups = channels.flatMap((channel) => recorded(channel, 'amd64')?.conditionalEdges ?? []);
  return [...new Set(groups.flatMap(({ risks }) => risks.map(({ name }) => name)))];
}

/** Questions of one to three clusters, like those of a fleet. */
const PLANS = sized(60, 1000);

describe.skipIf(!isRecordedDataPresent)('files for oc-mirror, of plans in recorded graphs', () => {
  const known = new Map<Arch, DrawnReleases>();
  const releasesOf = (arch: Arch): DrawnReleases => {
    const channels = [...pairs]
      .filter((name) => name.endsWith(`/${arch}`))
      .map((name) => name.split('/')[0]!);
    const found =
      known.get(arch) ??
      releases(Object.fromEntries(channels.map((name) => [name, graphOf(recorded(name, arch)!, arch)])));
    known.set(arch, found);
    return found;
  };

  const risks = namesOfRisks('stable-4.16', 'stable-4.18', 'eus-4.14');

  it(`select exactly the mirror list of ${PLANS} drawn plans, on every architecture`, async () => {
    const random = new Random(4_22);
    const counts = { plans: 0, files: 0, shared: 0, source: 0, several: 0 };
    const drawnQuestion = (arch: Arch) => {
      const { directory } = releasesOf(arch);
      const all = directory.versionsOf(directory.channels.map(({ name }) => name));
      const sources = random.chance(0.9) ? all.filter((version) => !isPrerelease(version)) : all;
      const from = random.pick(sources);
      const isPatch = random.chance(0.2);
      const later = sources
        .slice(sources.indexOf(from) + 1, sources.indexOf(from) + 200)
        .filter(({ major, minor }) => !isPatch || (major === from.major && minor === from.minor));
      const to = later.length === 0 ? from : random.pick(later);
      const risk = random.pick(PATH_RISK_MODES);
      return {
        from: from.raw,
        to: random.chance(0.3) ? `${to.major}.${to.minor}` : to.raw,
        channels: [],
        risk,
        ...(risk === 'accept' && { acceptedRisks: risks.filter(() => random.chance(0.8)) }),
        prefersEus: random.chance(0.2),
        prefer: random.pick(['safest', 'shortest'] as const),
        alternatives: 0 as const,
      };
    };
    const drawnFleet = async () => {
      const first = random.pick(ARCHES);
      const question = drawnQuestion(first);
      const others = random.chance(0.6)
        ? []
        : Array.from({ length: 1 + random.below(2) }, () => random.pick(ARCHES));
      return Promise.all(
        [first, ...others].map(async (arch, index) => {
          const isSame = index === 0 || random.chance(0.6);
          const result = await findPath(isSame ? question : drawnQuestion(arch), releasesOf(arch));
          return { arch, directory: releasesOf(arch).directory, result };
        }),
      );
    };
    while (counts.plans < PLANS) {
      const fleet = await drawnFleet();
      const includeSource = random.chance(0.4);
      const needed = fleet.flatMap(({ arch, directory, result }) =>
        result.found
          ? neededReleases(result.upgrade.path, arch, includeSource).map((each) => ({ ...each, directory }))
          : [],
      );
      if (needed.length === 0) continue;
      const { files, unlisted } = imageSets(
        needed.map(({ step, arch, directory }) => ({
          version: step.version,
          arch,
          channels: channelsOf(step, directory),
        })),
      );
      expect(unlisted).toEqual([]);
      const images = resolveFiles(
        files.map(({ text }) => text),
        recorded,
      );
      const wanted = Map.groupBy(mirrorOfReleases(needed), ({ arch }) => arch);
      const inOrder = (sets: Iterable<readonly [string, Iterable<string>]>) =>
        [...sets].flatMap(([arch, list]) => [...list].map((payload) => `${arch} ${payload}`)).toSorted();
      expect(inOrder(images)).toEqual(
        inOrder([...wanted].map(([arch, list]) => [arch, list.map(({ payload }) => payload)])),
      );
      counts.plans++;
      counts.files += files.length;
      counts.shared += files.filter(({ text }) => /^ {6}- \w+\n {6}- /m.test(text)).length;
      counts.source += Number(includeSource);
      counts.several += Number(wanted.size > 1);
    }
    console.log(`files for oc-mirror: ${JSON.stringify(counts)}`);
    expect(Object.values(counts).every((count) => count >= PLANS / 60)).toBe(true);
  });
});
