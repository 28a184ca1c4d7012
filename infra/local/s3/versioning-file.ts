import { readFileSync } from 'node:fs';
import { replaceFile } from './records.ts';

export type VersioningStatus = 'Enabled' | 'Suspended';

export function isVersioningStatus(text: unknown): text is VersioningStatus {
  return text === 'Enabled' || text === 'Suspended';
}

/** The status of a bucket, null when it never had one. */
export function readVersioning(path: string): VersioningStatus | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const status = statusIn(text);
  if (status !== null) return status;
  // Of the two it may have been, this one loses nothing.
  console.error(`bucket: ${path} is not a record, versioning is taken as Enabled`);
  return 'Enabled';
}

export function writeVersioning(path: string, status: VersioningStatus): void {
  replaceFile(path, { status });
}

function statusIn(text: string): VersioningStatus | null {
  try {
    const { status } = JSON.parse(text) as { readonly status?: unknown };
    return isVersioningStatus(status) ? status : null;
  } catch {
    return null;
  }
}
