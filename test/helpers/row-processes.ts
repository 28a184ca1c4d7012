import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Runs each row of a measurement in its own process with an empty folder. */
export class RowProcesses<Message> {
  readonly #program: string;
  readonly #folder: string;

  /** `program` sends one message and ends. All folders are removed at the end of this process. */
  constructor(name: string, program: URL) {
    this.#program = fileURLToPath(program);
    this.#folder = mkdtempSync(join(tmpdir(), `cairn-${name}-`));
    process.once('exit', () => remove(this.#folder));
    process.once('SIGINT', () => process.exit(130));
    process.once('SIGTERM', () => process.exit(143));
  }

  run(argumentsIn: (folder: string) => readonly string[]): Promise<Message | { readonly error: string }> {
    const folder = mkdtempSync(join(this.#folder, 'row-'));
    const child = fork(this.#program, argumentsIn(folder));
    return new Promise((resolve, reject) => {
      let told: Message | undefined;
      child.once('message', (message: unknown) => (told = message as Message));
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        remove(folder);
        resolve(told ?? { error: `its process ended early (${signal ?? code})` });
      });
    });
  }
}

/** An ending engine can still write into the folder. */
function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
