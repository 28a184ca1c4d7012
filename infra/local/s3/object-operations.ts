import { S3Error } from './errors.ts';

export interface ByteRange {
  readonly start: number;
  readonly length: number;
  /** False when the whole object is sent because no range, or none that is understood, was asked for. */
  readonly isPartial: boolean;
}

/** `bytes=0-99`, `bytes=100-` or `bytes=-100` of an object; several ranges at once get the whole, as on S3. */
export function parseRange(header: string | undefined, size: number): ByteRange {
  const whole: ByteRange = { start: 0, length: size, isPartial: false };
  const [, first, last] = /^bytes=([0-9]*)-([0-9]*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return whole;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(first) > Number(last)) return whole;
  if (start > end) {
    throw new S3Error('InvalidRange', `the range "${header}" is outside of ${size} bytes`, {
      'content-range': `bytes */${size}`,
    });
  }
  return { start, length: end - start + 1, isPartial: true };
}
