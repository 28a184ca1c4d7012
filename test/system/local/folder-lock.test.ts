import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../functions/runtime/hash.ts';
import { lockFolder, markFolder } from '../../../infra/local/folder-lock.ts';

const MODULE = new URL('../../../infra/local/folder-lock.ts', import.meta.url).href;

let dir: string;
const children: ChildProcess[] = [];
const releases: (() => Promise<void>)[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cairn-lock-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const release of releases.splice(0)) await release();
  rmSync(dir, { recursive: true, force: true });
});

const refusal = (pid: string): string => `process ${pid} uses it`;

async function lock(folder = dir): Promise<() => Promise<void>> {
  const release = await lockFolder(folder, refusal);
  releases.push(release);
  return release;
}

const script = (): string => `
  import { lockFolder } from ${JSON.stringify(MODULE)};
  import { createInterface } from 'node:readline';
  let release = () => {};
  console.log('ready');
  for await (const order of createInterface(process.stdin)) {
    try {
      if (order === 'lock') release = await lockFolder(${JSON.stringify(dir)}, (pid) => 'process ' + pid + ' uses it');
      else await release();
      console.log('done');
    } catch (error) {
      console.log(error.message);
    }
  }
`;

interface Locker {
  readonly child: ChildProcess;
  /** Locks the folder, or gives it back, in that process; resolves to what came of it. */
  readonly tell: (order: 'lock' | 'release') => Promise<string>;
}

async function startLocker(): Promise<Locker> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script()], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = linesOf(child.stdout);
  await lines.next();
  const tell: Locker['tell'] = async (order) => {
    child.stdin.write(`${order}\n`);
    return String((await lines.next()).value);
  };
  return { child, tell };
}

const linesOf = (stream: Readable) => createInterface(stream)[Symbol.asyncIterator]();

async function startHolder(): Promise<ChildProcess> {
  const { child, tell } = await startLocker();
  expect(await tell('lock')).toBe('done');
  return child;
}

describe('lockFolder', () => {
  it('locks a folder until it is given back, and leaves nothing', async () => {
    const release = await lock();
    await expect(lock()).rejects.toThrow(refusal(String(process.pid)));
    await release();
    await release();
    await lock();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('names the live process that uses the folder, by whatever path', async () => {
    const child = await startHolder();
    const link = join(dir, 'link');
    symlinkSync(dir, link);
    await expect(lock()).rejects.toThrow(refusal(String(child.pid)));
    await expect(lock(link)).rejects.toThrow(refusal(String(child.pid)));
  });

  it('leaves other folders free', async () => {
    await startHolder();
    mkdirSync(join(dir, 'below'));
    await expect(lock(join(dir, 'below'))).resolves.toBeTypeOf('function');
  });

  it('takes the folder of a process that was killed, however often', async () => {
    for (let round = 0; round < 2; round++) {
      const child = await startHolder();
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await expect(lock()).resolves.toBeTypeOf('function');
  });

  it('never goes to two who ask at once, and always to one', async () => {
    const rivals = await Promise.all(Array.from({ length: 4 }, startLocker));
    for (let round = 0; round < 50; round++) {
      const answers = await Promise.all(rivals.map(({ tell }) => tell('lock')));
      const winners = rivals.filter((_, index) => answers[index] === 'done');
      expect(winners.length, answers.join('\n')).toBe(1);
      await winners[0]!.tell('release');
    }
  });

  it.runIf(process.platform === 'linux')(
    'survives those who ask and do not wait for the answer',
    async () => {
      const child = await startHolder();
      const path = `\0cairn-bucket-${sha256Hex(dir).slice(0, 16)}`;
      for (let round = 0; round < 50; round++) {
        const socket = connect(path);
        await once(socket, 'connect');
        socket.destroy();
      }
      await expect(lock()).rejects.toThrow(refusal(String(child.pid)));
    },
  );

  it.runIf(process.platform === 'linux')(
    'takes the folder of a killed process whose parent has not reaped it',
    async () => {
      // The shell becomes a sleep, which never asks how its child ended.
      const shell = '"$0" --input-type=module -e "$1" <&3 & echo $!; exec sleep 600';
      const parent = spawn('sh', ['-c', shell, process.execPath, script()], {
        stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
      });
      children.push(parent);
      const lines = linesOf(parent.stdout!);
      const pid = Number((await lines.next()).value);
      await lines.next();
      (parent.stdio[3] as NodeJS.WritableStream).write('lock\n');
      expect((await lines.next()).value).toBe('done');
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
      await lock();
    },
  );
});

describe('markFolder', () => {
  it('leaves a file that names this process until it is removed', () => {
    const { unmark, wasAbandoned } = markFolder(dir);
    expect(wasAbandoned).toBe(false);
    expect(readdirSync(dir)).toEqual([expect.stringMatching(`^lock-${process.pid}-`)]);
    unmark();
    unmark();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('reports that a folder was not released, and cleans up', () => {
    markFolder(dir);
    // Containers give the same process id after each crash.
    expect(markFolder(dir).wasAbandoned, 'by one with its own process id').toBe(true);
    const [mine] = readdirSync(dir);
    for (const other of ['lock-4194304-', 'lock-1-an-earlier-boot']) writeFileSync(join(dir, other), '{"pi');
    const { wasAbandoned, unmark } = markFolder(dir);
    expect([wasAbandoned, readdirSync(dir)]).toEqual([true, [mine]]);
    unmark();
    expect(markFolder(dir).wasAbandoned).toBe(false);
  });

  it('reads only its own files', () => {
    for (const name of ['lock', 'lock-1', 'block-1-x', 'endpoints.json']) writeFileSync(join(dir, name), '');
    const { wasAbandoned, unmark } = markFolder(dir);
    unmark();
    expect([wasAbandoned, readdirSync(dir)]).toEqual([
      false,
      ['block-1-x', 'endpoints.json', 'lock', 'lock-1'],
    ]);
  });
});
