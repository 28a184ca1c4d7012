import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** Random bytes for a kind of value; null for real ones. */
export type Draw = (kind: string, size: number) => Buffer | null;

/** Replaces `Date` and the random functions of `node:crypto` in this process. Returns the reset function. */
export function replaceTime(now: () => number, draw: Draw): () => void {
  const { Date: RealDate } = globalThis;
  const { randomUUID, randomBytes } = crypto;
  const FixedDate = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
  RealDate.prototype.constructor = FixedDate;
  globalThis.Date = FixedDate;
  crypto.randomUUID = (options) => {
    const hex = draw('uuid', 16)?.toString('hex');
    if (hex === undefined) return randomUUID(options);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  crypto.randomBytes = ((size: number, callback?: (error: Error | null, bytes: Buffer) => void) => {
    if (callback) return randomBytes(size, callback);
    return draw(`bytes ${size}`, size) ?? randomBytes(size);
  }) as typeof randomBytes;
  syncBuiltinESMExports();
  return () => {
    RealDate.prototype.constructor = RealDate;
    globalThis.Date = RealDate;
    Object.assign(crypto, { randomUUID, randomBytes });
    syncBuiltinESMExports();
  };
}
