import crypto from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { openSync, readSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { replaceTime } from '../replace-time.ts';

/**
 * Preload of the recorded service and its child processes: `node --import fixed-time.ts`. Time and random values come
 * from the file in GOLDEN_MOMENT, which `startService` writes. Every run gets the same ones.
 */
const path = process.env['GOLDEN_MOMENT'];
if (path === undefined) throw new Error('GOLDEN_MOMENT must name the file with the time');
const file = openSync(path, 'r');
const content = new Float64Array(2);

/** Reads the file at every call, so that all processes see a new time at once. */
function readMoment(): { readonly time: number; readonly seed: number } {
  readSync(file, content, 0, content.byteLength, 0);
  return { time: content[0]!, seed: content[1]! };
}

let counted = { seed: Number.NaN, draws: new Map<string, number>() };

/** Depends on the step, the kind of value, and the number of earlier draws of this kind. */
function draw(kind: string, size: number): Buffer {
  const { seed } = readMoment();
  if (counted.seed !== seed) counted = { seed, draws: new Map() };
  const count = counted.draws.get(kind) ?? 0;
  counted.draws.set(kind, count + 1);
  return crypto.createHash('shake256', { outputLength: size }).update(`${seed} ${kind} ${count}`).digest();
}

/** Libraries draw call identifiers, whose number can change without a change of a response. */
function isCalledByLibrary(): boolean {
  // Frames above the caller: the message, this function, the draw, and the replaced function.
  const callers = new Error('for its stack').stack?.split('\n').slice(4) ?? [];
  return callers[0]?.includes('node_modules') ?? false;
}

replaceTime(
  () => readMoment().time,
  (kind, size) => (isCalledByLibrary() ? null : draw(kind, size)),
);
Math.random = () => draw('number', 6).readUIntBE(0, 6) / 2 ** 48;

// AWS clients correct their clock by this header, and servers would send the real time.
subscribe('http.server.request.start', (message) => {
  const { response } = message as { readonly response: ServerResponse };
  response.setHeader('date', new Date().toUTCString());
});
