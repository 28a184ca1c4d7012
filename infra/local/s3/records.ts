import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Puts the record in place by a rename, so that a crash leaves the old one or the new one. */
export function replaceFile(path: string, record: unknown): void {
  writeFileSync(`${path}.new`, JSON.stringify(record));
  renameSync(`${path}.new`, path);
}

/** Reads every record of a folder; what a crash left half written is removed. */
export function* readRecords<Content>(dir: string): Generator<Content> {
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    if (!name.endsWith('.json')) {
      rmSync(path, { force: true, recursive: true });
      continue;
    }
    try {
      yield JSON.parse(readFileSync(path, 'utf8')) as Content;
    } catch {
      console.error(`bucket: ${path} is not a record, it is left out`);
    }
  }
}
