import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BucketFolder } from './bucket-folder.ts';
import { S3Error } from './errors.ts';

/** The buckets under one folder, which must exist. A bucket name is safe as a folder name, because only lower-case host names pass. */
export class BucketStore {
  readonly #dir: string;
  readonly #buckets = new Map<string, BucketFolder>();

  constructor(dir: string) {
    this.#dir = dir;
    for (const name of readdirSync(dir)) {
      if (isBucketName(name)) this.#buckets.set(name, new BucketFolder(join(dir, name)));
    }
  }

  bucket(name: string): BucketFolder {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) throw new S3Error('NoSuchBucket', `there is no bucket "${name}"`);
    return bucket;
  }

  create(name: string): void {
    if (!isBucketName(name)) {
      throw new S3Error(
        'InvalidBucketName',
        `"${name}" is not a bucket name, expected 3 to 63 lower-case letters, digits, dots and hyphens`,
      );
    }
    if (!this.#buckets.has(name)) this.#buckets.set(name, new BucketFolder(join(this.#dir, name)));
  }

  list(): { readonly name: string; readonly createdAt: number }[] {
    return [...this.#buckets.keys()]
      .toSorted()
      .map((name) => ({ name, createdAt: statSync(join(this.#dir, name)).birthtimeMs }));
  }
}

function isBucketName(name: string): boolean {
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !name.includes('..');
}
