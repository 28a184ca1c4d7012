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

/** What is asked over https of somebody whom only one authority vouches for, whatever the machine trusts. */
export interface TrustedRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Its certificate, in PEM. */
  readonly authority: string;
  /** For all of the answer. */
  readonly timeoutMs: number;
  readonly mostBytes: number;
}

export interface TrustedAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** All that a command uses of the machine that it runs on. */
export interface Machine {
  readonly out: Output;
  readonly err: Output;
  readonly input: { readonly isTerminal: boolean; read(): Promise<Uint8Array> };
  readonly variables: Variables;
  readonly clock: () => number;
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>;
  readonly getTrusted: (url: URL, request: TrustedRequest) => Promise<TrustedAnswer>;
  readFile(path: string): Promise<{ readonly bytes: Uint8Array; readonly changedAt: Date }>;
  /** Whole or not at all. */
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  run(program: string, args: readonly string[]): Promise<ProgramResult>;
}
