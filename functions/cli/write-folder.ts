import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

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
 * Writes all files or none: into a hidden folder inside, because the folder itself may be the current one or a mount
 * point, and from there one by one. Creates missing parents. With `force`, former files that `isReplaced` accepts are
 * deleted, and all other entries are kept.
 */
export async function writeFolder(
  path: string,
  files: readonly FolderFile[],
  { force, isReplaced }: { readonly force: boolean; readonly isReplaced: (name: string) => boolean },
): Promise<void> {
  const created = await makeFolder(path).catch(refuse(path));
  const present = await readdir(path).catch(refuse(path));
  if (present.length > 0 && !force) {
    throw new FolderRefused(`${path} is not empty. Use another folder, or --force to replace former files`);
  }
  const hidden = join(path, `.cairn-${randomUUID().slice(0, 8)}`);
  const [fresh, former] = [join(hidden, 'new'), join(hidden, 'old')];
  const undo: (() => Promise<void>)[] = [];
  const move = async (name: string, from: string, to: string): Promise<void> => {
    await rename(join(from, name), join(to, name));
    undo.unshift(() => rename(join(to, name), join(from, name)));
  };
  try {
    for (const folder of [hidden, fresh, former]) await mkdir(folder);
    for (const file of files) await writeSynced(fresh, file);
    const names = new Set(files.map(({ name }) => name));
    const replaced = present.filter((name) => names.has(name) || isReplaced(name));
    for (const name of replaced) await move(name, path, former);
    for (const name of names) await move(name, fresh, path);
  } catch (error) {
    // If this fails, the former files stay in the hidden folder.
    for (const restore of undo) await restore();
    await rm(created ?? hidden, { recursive: true, force: true });
    return refuse(path)(error);
  }
  await rm(hidden, { recursive: true });
}

/**
 * Returns the outermost folder that it created; undefined if all exist. Not the recursive `mkdir`: it never returns
 * where nothing can be created, such as below /proc.
 */
async function makeFolder(path: string): Promise<string | undefined> {
  const failure = await make(path);
  if (failure === null) return path;
  if (failure.code === 'EEXIST') {
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory()) return undefined;
    throw found === null ? new FolderRefused(`${path} ${DEAD_LINK}`) : failure;
  }
  if (failure.code !== 'ENOENT' || dirname(path) === path) throw failure;
  const parent = await makeFolder(dirname(path));
  const again = await make(path);
  if (again === null) return parent ?? path;
  if (parent !== undefined) await rm(parent, { recursive: true });
  throw again;
}

function make(path: string): Promise<NodeJS.ErrnoException | null> {
  return mkdir(path).then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  );
}

const DEAD_LINK = 'is a link to a folder that does not exist. Create that folder, or use another one';
const CAUSES: Readonly<Record<string, string>> = {
  EEXIST: 'is a file. Use the name of a folder',
  ENOTDIR: 'is below a file. Use the name of a folder',
  ENOENT: 'cannot be created. Use another folder',
  EACCES: 'cannot be written. Use a folder for which you have write permission',
  EPERM: 'cannot be written. Use a folder for which you have write permission',
  EROFS: 'is on a read-only file system. Use another folder',
  ENAMETOOLONG: 'is too long. Use a shorter name',
};

/** Names the fix instead of the system call. */
function refuse(path: string): (error: unknown) => never {
  return (error) => {
    const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
    const cause = ['mkdir', 'scandir'].includes(syscall) ? CAUSES[code] : undefined;
    throw cause === undefined ? error : new FolderRefused(`${path} ${cause}`);
  };
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
