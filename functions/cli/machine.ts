import type { Variables } from '../runtime/env.ts';

/** Where something is written. */
export interface Output {
  write(text: string | Uint8Array): void;
  /** Somebody looks at it. */
  readonly isTerminal: boolean;
}

/** What a program that was started came to. */
export interface ProgramResult {
  /** Null when there is no such program. */
  readonly exitCode: number | null;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}

/** All that a command uses of the machine that it runs on. */
export interface Machine {
  readonly out: Output;
  readonly err: Output;
  readonly input: { readonly isTerminal: boolean; read(): Promise<Uint8Array> };
  readonly variables: Variables;
  readonly clock: () => number;
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>;
  readFile(path: string): Promise<{ readonly bytes: Uint8Array; readonly changedAt: Date }>;
  /** Whole or not at all. */
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  run(program: string, args: readonly string[]): Promise<ProgramResult>;
}
