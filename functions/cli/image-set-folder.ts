import { type ImageSet, imageSetName } from '@cairn/shared/path/image-set';
import { messageOf } from '@cairn/shared/text/quote';
import { countInWords } from '@cairn/shared/text/words';
import { parseVersion } from '@cairn/shared/version/release-version';
import type { Flags } from '../command-line/flags.ts';
import type { ParsedArgs } from '../command-line/parse.ts';
import { badInput, notKnown } from '../runtime/exit.ts';
import type { Host } from './host.ts';
import { mirrorScript } from './mirror-script.ts';
import type { ServiceAnswer } from './service/service.ts';
import { FolderRefused } from './write-folder.ts';

export const IMAGE_SET_FLAGS = {
  file: {
    kind: 'text',
    value: 'NUMBER',
    help: 'with -o imageset: print this file (1)',
  },
  dir: {
    kind: 'text',
    value: 'FOLDER',
    help: 'with -o imageset: write all files and mirror.sh, which runs oc mirror, to this folder',
  },
  force: { kind: 'switch', help: 'with --dir: replace the files of a folder that is not empty' },
} as const satisfies Flags;

/** Refuses the flags of image sets where they have no effect. */
export function refuseUnusedFlags(args: ParsedArgs): void {
  const isImageSet = args.text('output') === 'imageset';
  const [file, folder] = [args.text('file'), args.text('dir')];
  const mistakes = [
    ...(file !== undefined && !isImageSet ? ['--file requires -o imageset'] : []),
    ...(folder !== undefined && !isImageSet ? ['--dir requires -o imageset'] : []),
    ...(folder === undefined && args.isSet('force') ? ['--force requires --dir'] : []),
    ...(file !== undefined && folder !== undefined
      ? ['--dir writes all files, and --file selects one; give one of them']
      : []),
  ];
  if (mistakes.length > 0) throw badInput(...mistakes);
}

/** Prints one file, or writes all of them with `--dir`. `all` is the JSON of the same question. */
export async function printImageSets(
  args: ParsedArgs,
  host: Host,
  one: ServiceAnswer,
  all: () => Promise<unknown>,
): Promise<void> {
  const folder = args.text('dir');
  if (folder !== undefined) {
    await writeImageSets(folder, (await all()) as Answered, args.isSet('force'), host);
    return;
  }
  host.out.write(one.body);
  const count = Number(one.headers['cairn-files'] ?? 1);
  if (count > 1 && args.text('file') === undefined) {
    host.err.write(
      `This is file 1 of ${count}. Print another with --file, or write all with --dir FOLDER.\n`,
    );
  }
}

interface Answered {
  readonly imageSets?: readonly ImageSet[];
}

/** Names of files that a former run wrote. */
const WRITTEN = /^(?:\d{2,3}-[\w.+-]+\.yaml|mirror\.sh)$/;

async function writeImageSets(
  folder: string,
  { imageSets }: Answered,
  force: boolean,
  host: Host,
): Promise<void> {
  // File names come from the answer, which another program may have written.
  const isReadable = imageSets?.every(
    ({ file, version, text }) =>
      Number.isInteger(file) &&
      typeof text === 'string' &&
      (version === null || parseVersion(version) !== null),
  );
  if (!imageSets || !isReadable)
    throw notKnown('the answer has no imageSets; update that Cairn, or leave out --dir');
  if (imageSets.length === 0) {
    host.err.write(`There is nothing to mirror. ${folder} was not written.\n`);
    return;
  }
  const names = imageSets.map(imageSetName);
  const files = [
    ...imageSets.map(({ text }, index) => ({ name: names[index]!, text })),
    { name: 'mirror.sh', text: mirrorScript(names), isExecutable: true as const },
  ];
  try {
    await host.writeFolder(folder, files, { force, isReplaced: (name) => WRITTEN.test(name) });
  } catch (error) {
    if (error instanceof FolderRefused) throw badInput(error.message);
    throw notKnown(`${folder} was not written: ${messageOf(error)}`);
  }
  host.out.write(files.map(({ name }) => `${folder}/${name}\n`).join(''));
  host.err.write(
    `${countInWords(imageSets.length, 'file')} written. "${folder}/mirror.sh --help" explains how to mirror them.\n`,
  );
}
