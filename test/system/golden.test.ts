import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Ends a run that hangs. */
const HANG_GUARD_MS = 600_000;

it(
  'returns what is recorded: responses, command outputs and templates',
  { timeout: HANG_GUARD_MS },
  async () => {
    const program = fileURLToPath(new URL('../helpers/golden/main.ts', import.meta.url));
    const child = spawn(process.execPath, [program, '--compare'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    const leftOut = out.split('\n').filter((line) => line.includes('left out'));
    for (const line of leftOut) console.log(line);
    expect({ code, output: code === 0 ? '' : out + err }).toEqual({ code: 0, output: '' });
  },
);
