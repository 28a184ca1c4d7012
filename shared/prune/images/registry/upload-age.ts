import type { StayReason } from '../plan/selection.ts';

/** An unfinished upload, with all its files. */
export interface Upload {
  readonly repository: string;
  readonly upload: string;
  readonly files: { readonly file: string; readonly size: number; readonly modified: number }[];
}

/** A registry gives up an upload after a week, too. */
export const UPLOAD_MAX_AGE_MS = 168 * 3_600_000;

export interface JudgedUpload {
  readonly upload: Upload;
  readonly fate: Extract<StayReason, 'young' | 'frozen' | 'protected'> | 'abandoned';
  /** When its youngest file was written: a listing does not tell when it began. */
  readonly newest: number;
  /** How many of its files go, the first by name. */
  readonly going: number;
}

export interface UploadRules {
  readonly now: number;
  /** How many keys may still go in this run. */
  readonly left: number;
  /** Why nothing in a repository is touched; null when it may be. */
  readonly stays: (repository: string) => 'frozen' | 'protected' | null;
}

/** Which uploads nobody goes on with: those whose youngest file is more than a week old. */
export function judgeUploads(uploads: readonly Upload[], rules: UploadRules): JudgedUpload[] {
  let { left } = rules;
  return uploads.map((upload) => {
    const newest = upload.files.reduce((latest, { modified }) => Math.max(latest, modified), -Infinity);
    const isOld = rules.now - newest > UPLOAD_MAX_AGE_MS;
    const fate = rules.stays(upload.repository) ?? (isOld ? 'abandoned' : 'young');
    const going = fate === 'abandoned' ? Math.min(upload.files.length, Math.max(0, left)) : 0;
    left -= going;
    return { upload, fate, newest, going };
  });
}
