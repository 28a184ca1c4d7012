import type { Arch } from '@cairn/shared/version/arch';
import { ARCHES } from '@cairn/shared/version/arch';
import { minorOf } from '@cairn/shared/version/minor';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import { describe, expect, it } from 'vitest';
import { adviceFaults } from '../../helpers/path/advice-checks.ts';
import { graphOf } from '../../helpers/path/answers.ts';
import type { PlainAnswer, PlainScenario } from '../../helpers/path/plain-releases.ts';
import { ask, releases } from '../../helpers/path/releases.ts';
import { sized } from '../../helpers/size.ts';
import { listRecordedPairs } from '../../helpers/upstream/cincinnati-stub.ts';
import {
  isRecordedDataPresent,
  readRecorded,
  RECORDED_UPSTREAM,
} from '../../helpers/upstream/recorded-data.ts';

if (!isRecordedDataPresent)
  console.log('recorded graphs are not at ../shared/data: advice about them is not tested');

const QUESTIONS = sized(60, 400);

function recordedChannels(arch: Arch): Map<string, PlainAnswer> {
  const pairs = listRecordedPairs(RECORDED_UPSTREAM).filter((pair) => pair.arch === arch);
  return new Map(
    pairs.map(({ channel }) => [channel, JSON.parse(readRecorded(channel, arch)) as PlainAnswer]),
  );
}

/** Small numbers that look drawn, the same on every run. */
function numbers(): (bound: number) => number {
  let state = 5;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

describe.skipIf(!isRecordedDataPresent)('advice about recorded graphs', () => {
  it.each(ARCHES)('on %s names stable channels first, and versions next to the target', async (arch) => {
    const channels = recordedChannels(arch);
    const scenario: PlainScenario = { channels, withdrawn: {}, neverSynced: [], elsewhere: [] };
    const known = releases(
      Object.fromEntries([...channels].map(([name, answer]) => [name, graphOf(answer, arch)])),
    );
    const { versions } = known.directory;
    const names = [...channels.keys()];
    const below = numbers();
    const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
    const faults: string[] = [];
    let [explained, isNearTarget] = [0, 0];
    for (let question = 0; question < QUESTIONS; question++) {
      const at = below(versions.length);
      const near = versions[Math.min(versions.length - 1, at + below(120))]!;
      const minor = minorOf(mustParseVersion(near));
      const to = pick([near, minor, `${minor}.999`, `${minor}.999`]);
      const asked = { from: versions[at]!, to, channels: below(2) === 0 ? [] : [pick(names)] };
      const policy = { risk: 'none', prefer: 'safest', alternatives: 0 } as const;
      const answer = await ask(known, asked.from, asked.to, asked.channels, policy);
      if (answer.found) continue;
      explained++;
      const { alternatives } = answer.explanation;
      if (alternatives[0] && minorOf(mustParseVersion(alternatives[0].to)) === minor) isNearTarget++;
      const found = adviceFaults(scenario, { ...asked, ...policy }, answer.explanation);
      faults.push(...found.map((fault) => `${asked.from} > ${to} [${asked.channels.join()}]: ${fault}`));
    }
    expect(faults).toEqual([]);
    expect(explained).toBeGreaterThan(QUESTIONS / 3);
    expect(isNearTarget).toBeGreaterThan(explained / 3);
  });
});
