import crypto from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { openSync, readSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Preload of the recorded service and of every process that it starts: `node --import fixed-time.ts`. Time and random
 * values come from the file that GOLDEN_MOMENT names, which `startService` writes: they are the same in every run.
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

const now = (): number => readMoment().time;
const RealDate = Date;
const FixedDate = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
RealDate.prototype.constructor = FixedDate;
globalThis.Date = FixedDate;

let counted = { seed: Number.NaN, draws: new Map<string, number>() };

/** Bytes that depend on the step, on the kind of value, and on how many of this kind the step has drawn before. */
function draw(kind: string, size: number): Buffer {
  const { seed } = readMoment();
  if (counted.seed !== seed) counted = { seed, draws: new Map() };
  const count = counted.draws.get(kind) ?? 0;
  counted.draws.set(kind, count + 1);
  return crypto.createHash('shake256', { outputLength: size }).update(`${seed} ${kind} ${count}`).digest();
}

/** Libraries draw identifiers of calls, whose number may change without any change in a response. */
function isCalledByLibrary(): boolean {
  const callers = new Error('for its stack').stack?.split('\n').slice(3) ?? [];
  return callers[0]?.includes('node_modules') ?? false;
}

const real = { randomUUID: crypto.randomUUID, randomBytes: crypto.randomBytes };

crypto.randomUUID = (options) => {
  if (isCalledByLibrary()) return real.randomUUID(options);
  const hex = draw('uuid', 16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
};

crypto.randomBytes = ((size: number, callback?: (error: Error | null, bytes: Buffer) => void) => {
  if (callback) return real.randomBytes(size, callback);
  return isCalledByLibrary() ? real.randomBytes(size) : draw(`bytes ${size}`, size);
}) as typeof crypto.randomBytes;

Math.random = () => draw('number', 6).readUIntBE(0, 6) / 2 ** 48;
syncBuiltinESMExports();

// AWS clients correct their clock by this header, and servers would send the real time in it.
subscribe('http.server.request.start', (message) => {
  const { response } = message as { readonly response: ServerResponse };
  response.setHeader('date', new Date().toUTCString());
});
