import { describe, expect, it } from 'vitest';
import { imageSetFile, imageSetList, unlistedWarnings } from '../../../../functions/paths/files.ts';
import { ask, releases } from '../../../helpers/path/releases.ts';

/** Upstream has withdrawn the source. */
const known = releases({ 'stable-4.14': ['4.14.1 > 4.14.2'] }, { withdrawn: { 'stable-4.14': ['4.14.1'] } });

async function answered(name: string | null = null) {
  const answer = await ask(known, '4.14.1', '4.14.2');
  return { name, arch: 'amd64', answer, directory: known.directory } as const;
}
const place = { parameter: 'file' };

describe('a release that is in no channel any more', () => {
  it('is refused in a file for oc-mirror, with another format that has it', async () => {
    const answers = [await answered()];
    expect(() => imageSetFile(answers, { includeSource: true }, { place })).toThrow(
      expect.objectContaining({
        code: 'no-channel',
        message:
          'no channel lists 4.14.1 on amd64, so oc-mirror cannot find it. Mirror its image by digest: format=text lists it',
        errors: [{ parameter: 'format', value: 'imageset', detail: 'no channel has 4.14.1 on amd64' }],
      }),
    );
    expect(imageSetFile(answers, { includeSource: false }, { place }).headers).toMatchObject({
      'cairn-files': '1',
    });
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
