import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const CHECKSUM_ALGORITHMS = ['crc32', 'crc32c', 'crc64nvme', 'sha1', 'sha256'] as const;
export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number];

export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  /** Base64 of the big-endian digest, as in `x-amz-checksum-…`. */
  readonly value: string;
}

interface ChecksumStream {
  update(chunk: Uint8Array): void;
  /** Base64; call once. */
  digest(): string;
}

export function createChecksum(algorithm: ChecksumAlgorithm): ChecksumStream {
  switch (algorithm) {
    case 'crc32':
      return crc32Stream();
    case 'crc32c':
      return crcStream(CRC32C);
    case 'crc64nvme':
      return crcStream(CRC64NVME);
    default: {
      const hash = createHash(algorithm);
      return { update: (chunk) => void hash.update(chunk), digest: () => hash.digest('base64') };
    }
  }
}

function crc32Stream(): ChecksumStream {
  let sum = 0;
  return {
    update(chunk) {
      sum = crc32(chunk, sum);
    },
    digest: () => bigEndian(sum),
  };
}

const CRC32C = { table: crcTable(0, 0x82f63b78), start: 0 };
const CRC64NVME = { table: crcTable(0x9a6c9329, 0xac4bc9b5), start: 0xffffffff };

/** Two 32-bit halves: BigInt arithmetic per byte is about twenty times slower. The high one of a 32-bit sum is 0. */
function crcTable(polynomialHigh: number, polynomialLow: number) {
  const table = { high: new Uint32Array(256), low: new Uint32Array(256) };
  for (let byte = 0; byte < 256; byte++) {
    let high = 0;
    let low = byte;
    for (let bit = 0; bit < 8; bit++) {
      const carry = low & 1;
      low = ((low >>> 1) | (high << 31)) ^ (carry ? polynomialLow : 0);
      high = (high >>> 1) ^ (carry ? polynomialHigh : 0);
    }
    table.high[byte] = high;
    table.low[byte] = low;
  }
  return table;
}

function crcStream({ table, start }: typeof CRC64NVME): ChecksumStream {
  let high = start;
  let low = 0xffffffff;
  return {
    update(chunk) {
      for (const byte of chunk) {
        const at = (low ^ byte) & 0xff;
        low = ((low >>> 8) | (high << 24)) ^ table.low[at]!;
        high = (high >>> 8) ^ table.high[at]!;
      }
    },
    digest: () => (start === 0 ? bigEndian(~low) : bigEndian(~high, ~low)),
  };
}

function bigEndian(...words: readonly number[]): string {
  const bytes = Buffer.alloc(4 * words.length);
  for (const [position, word] of words.entries()) bytes.writeUInt32BE(word >>> 0, 4 * position);
  return bytes.toString('base64');
}
