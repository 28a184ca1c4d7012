import { describe, expect, it } from 'vitest';
import { imageSetFile, imageSetList, textFile, unlistedWarnings } from '../../../../functions/paths/files.ts';
import { ask, releases } from '../../../helpers/path/releases.ts';

/** Upstream has withdrawn the source. */
const known = releases({ 'stable-4.14': ['4.14.1 > 4.14.2'] }, { withdrawn: { 'stable-4.14': ['4.14.1'] } });

async function answered(name: string | null = null) {
  const answer = await ask(known, '4.14.1', '4.14.2');
  return { name, arch: 'amd64', answer, directory: known.directory } as const;
}
const where = { place: { parameter: 'file' }, blame: (parameter: string) => ({ parameter }) };

it.each([
  ['4.20.1', undefined],
  [
    '4.21.1',
    expect.stringMatching(/^Nodes from 4\.21 on reject a release image without its signature\./) as unknown,
  ],
])('a list of images to %s has a note on signatures: %o', async (to, note) => {
  const minor = to.slice(0, 4);
  const drawn = releases({ [`stable-${minor}`]: [`${minor}.0 > ${to}`] });
  const answer = await ask(drawn, `${minor}.0`, to);
  const answers = [{ name: null, arch: 'amd64', answer, directory: drawn.directory }] as const;
  expect(textFile(answers, false, where.blame).headers?.['cairn-note']).toEqual(note);
});

describe('a release that is in no channel any more', () => {
  it('is refused in a file for oc-mirror, with another format that has it', async () => {
    const answers = [await answered()];
    expect(() => imageSetFile(answers, { includeSource: true }, where)).toThrow(
      expect.objectContaining({
        code: 'no-channel',
        message:
          'no channel lists 4.14.1 on amd64, so oc-mirror cannot find it. Mirror its image by digest: format=text lists it',
        errors: [{ parameter: 'format', value: 'imageset', detail: 'no channel has 4.14.1 on amd64' }],
      }),
    );
    expect(imageSetFile(answers, { includeSource: false }, where).headers).toMatchObject({
      'cairn-files': '1',
    });
  });

  it.each([999, 1000, 10 ** 14])('names the number of files for file %i', async (file) => {
    expect(() => imageSetFile([], { includeSource: false }, { ...where, file })).toThrow(
      `file=${file}: there are 0 files, because there is nothing to mirror; omit file`,
    );
  });

  it('leaves no half list in JSON, and is a warning', async () => {
    const answer = await answered('north');
    expect(imageSetList([answer], { includeSource: true })).toEqual([]);
    expect(unlistedWarnings(answer, true)).toEqual([
      { code: 'not_in_channels', message: expect.stringContaining('4.14.1 on amd64') },
    ]);
    expect(imageSetList([answer], { includeSource: false })).toHaveLength(1);
    expect(unlistedWarnings(answer, false)).toEqual([]);
  });
});
