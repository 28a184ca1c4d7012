import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';

export interface FolderFile {
  readonly name: string;
  readonly text: string;
  readonly isExecutable?: true;
}

/** Reason for which the folder cannot be written; nothing was changed. */
export class FolderRefused extends Error {
  override readonly name = 'FolderRefused';
}

/**
 * Writes all files or none: into a folder beside the final one, which then takes its place. With `force`, former files
 * that `isReplaced` accepts are deleted, and all other entries are kept.
 */
export async function writeFolder(
  path: string,
  files: readonly FolderFile[],
  { force, isReplaced }: { readonly force: boolean; readonly isReplaced: (name: string) => boolean },
): Promise<void> {
  const present = await entriesOf(path);
  if (present !== null && present.length > 0 && !force) {
    throw new FolderRefused(`${path} is not empty. Use another folder, or --force to replace former files`);
  }
  // A link is kept: the folder that it leads to is replaced.
  const target = present === null ? resolve(path) : await realpath(path);
  if (present !== null) refuseCurrentFolder(path, target);
  const [part, former] = ['part', 'old'].map((end) => `${target}.${randomUUID().slice(0, 8)}.${end}`) as [
    string,
    string,
  ];
  try {
    await mkdir(part);
    for (const file of files) await writeSynced(part, file);
    if (present === null) {
      await rename(part, target);
      return;
    }
    await chmod(part, (await stat(target)).mode & 0o7777);
    await rename(target, former);
    try {
      await rename(part, target);
    } catch (error) {
      await rename(former, target);
      throw error;
    }
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  const names = new Set(files.map(({ name }) => name));
  for (const name of present) {
    if (!names.has(name) && !isReplaced(name)) await rename(join(former, name), join(target, name));
  }
  await rm(former, { recursive: true });
}

/** Null if there is nothing at the path. */
async function entriesOf(path: string): Promise<string[] | null> {
  try {
    return await readdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code === 'ENOTDIR') throw new FolderRefused(`${path} is a file. Use the name of a folder`);
    throw error;
  }
}

/** Replacing it would leave the shell in a deleted folder. */
function refuseCurrentFolder(path: string, target: string): void {
  if (!`${process.cwd()}${sep}`.startsWith(`${target}${sep}`)) return;
  throw new FolderRefused(
    `${path} is or contains the current folder. Use a folder in it, such as ./imagesets`,
  );
}

async function writeSynced(folder: string, { name, text, isExecutable }: FolderFile): Promise<void> {
  const file = await open(join(folder, name), 'wx', isExecutable ? 0o755 : 0o644);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
