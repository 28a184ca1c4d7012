import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PEER_VARIABLES } from '../../../functions/runtime/env.ts';

const START = fileURLToPath(new URL('../../../infra/local/start.ts', import.meta.url));
const NOT_INHERITED = new Set<string>([...PEER_VARIABLES, 'AUTH_TOKEN', 'NODE_OPTIONS']);

/** `npm start` in its own process group, with its engines. */
export interface LocalRun {
  readonly child: ChildProcess;
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves when the process and all its children have ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** First match in stdout, as soon as it is printed. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Signals the whole group, as a terminal does. */
  signalGroup(signal: NodeJS.Signals): void;
}

export interface Fixture {
  readonly dir: string;
  /** Path of a data folder that does not exist yet. */
  dataFolder(): string;
  releasesFile(config: unknown): string;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): LocalRun;
  /** Ends running processes and removes the folder. */
  close(): Promise<void>;
}

/** A temporary folder for runs of `npm start`, and the runs. */
export function openFixture(): Fixture {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-local-'));
  const runs: LocalRun[] = [];
  let count = 0;
  let isClosed = false;
  return {
    dir,
    dataFolder: () => join(dir, `data-${++count}`),
    releasesFile(config) {
      const file = join(dir, `releases-${++count}.json`);
      writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config));
      return file;
    },
    start(args, env = {}) {
      // What a failed test still had in mind must not outlive it.
      if (isClosed) throw new Error('the fixture is closed');
      // Compiled code is kept between the runs: most of the time of one would go there.
      const run = startLocal(args, { NODE_COMPILE_CACHE: join(dir, 'compiled'), ...env });
      runs.push(run);
      return run;
    },
    async close() {
      isClosed = true;
      for (const run of runs) run.signalGroup('SIGKILL');
      await Promise.all(runs.map((run) => run.ended));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function startLocal(args: readonly string[], env: Readonly<Record<string, string>>): LocalRun {
  const inherited = Object.entries(process.env).filter(([name]) => !NOT_INHERITED.has(name));
  const child = spawn(process.execPath, [START, ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(inherited), ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const { promise: ended, resolve } = Promise.withResolvers<Awaited<LocalRun['ended']>>();
  child.once('close', (code, signal) => resolve({ code, signal }));
  return {
    child,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    ended,
    async printed(pattern) {
      for (;;) {
        const match = pattern.exec(stdout);
        if (match) return match;
        if (child.stdout.closed) throw new Error(`ended without printing ${pattern}:\n${stdout}${stderr}`);
        const { promise, resolve: next } = Promise.withResolvers<void>();
        const listen = () => next();
        child.stdout.once('data', listen).once('close', listen);
        await promise;
        child.stdout.off('data', listen).off('close', listen);
      }
    },
    signalGroup(signal) {
      try {
        process.kill(-child.pid!, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    },
  };
}

export const canFindEngines = spawnSync('pgrep', ['-V']).error === undefined;

/** Command lines of a run and its children, which every user of the machine can list. */
export function commandLines({ child }: LocalRun): string[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pgid=,args='], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => Number.parseInt(line, 10) === child.pid);
}

const ENGINES = { table: 'table/main.ts', bucket: 's3/main.ts' };

export function enginePid({ child }: LocalRun, engine: 'table' | 'bucket'): number {
  const { stdout } = spawnSync('pgrep', ['-P', String(child.pid), '-f', ENGINES[engine]], {
    encoding: 'utf8',
  });
  return Number(stdout);
}
