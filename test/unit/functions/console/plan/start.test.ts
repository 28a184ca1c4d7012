import { describe, expect, it } from 'vitest';
import { defaultChannel } from '../../../../../functions/console/plan/form.tsx';
import { findExamples } from '../../../../../functions/console/plan/start.tsx';
import { releases } from '../../../../helpers/path/releases.ts';

const line = (minor: number): string[] => [0, 1, 2, 3].map((patch) => `4.${minor}.${patch}`);
const chained = (versions: readonly string[]): string[] =>
  versions.slice(1).map((version, at) => `${versions[at]} > ${version}`);

/** Every channel holds its minor and the one before. */
function followed(minors: readonly number[]) {
  return releases(
    Object.fromEntries(
      minors.map((minor) => [`stable-4.${minor}`, chained([...line(minor - 1), ...line(minor)])]),
    ),
  );
}

describe('examples', () => {
  it('are three that have a path, from the middle of a minor', async () => {
    const examples = await findExamples(followed([12, 13, 14, 15, 16, 17]));
    expect(examples.map(({ state: { from, to, pause } }) => `${from} ${to} ${pause}`)).toEqual([
      '4.14.2 4.16 false',
      '4.14.2 4.16 true',
      '4.17.2 4.17 false',
    ]);
  });

  it('are those there are where little is followed', async () => {
    const examples = await findExamples(followed([14, 15]));
    expect(examples.map(({ state: { from, to } }) => `${from} ${to}`)).toEqual([
      '4.15.2 4.15',
      '4.14.2 4.15',
    ]);
    expect(await findExamples(releases({}))).toEqual([]);
  });

  it('leave out what has no path', async () => {
    const known = releases({ 'stable-4.14': ['4.14.1', '4.14.2'] });
    expect(await findExamples(known)).toEqual([]);
  });
});

describe('the channel that is shown before anything is asked', () => {
  it.each([
    [{ 'stable-4.14': ['4.14.1'], 'stable-4.15': ['4.15.1'], 'candidate-4.16': ['4.16.1'] }, 'stable-4.15'],
    [{ 'stable-4.14': ['4.14.1'], 'stable-4.15': ['4.14.1', '4.15.0-rc.1'] }, 'stable-4.14'],
    [{ 'candidate-5.0': ['5.0.0-ec.1'] }, 'candidate-5.0'],
    [{}, null],
  ])('of %j is %s', (channels, expected) => {
    expect(defaultChannel(releases(channels as Record<string, string[]>).directory)).toBe(expected);
  });
});
