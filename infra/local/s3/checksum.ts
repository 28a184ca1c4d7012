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

export function parseChecksumAlgorithm(text: string): ChecksumAlgorithm | null {
  return CHECKSUM_ALGORITHMS.find((known) => known === text) ?? null;
}

export function createChecksum(algorithm: ChecksumAlgorithm): ChecksumStream {
  switch (algorithm) {
    case 'crc32':
      return crc32Stream();
    case 'crc32c':
      return crc32cStream();
    case 'crc64nvme':
      return crc64Stream();
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

function crc32cStream(): ChecksumStream {
  let sum = 0xffffffff;
  return {
    update(chunk) {
      for (const byte of chunk) sum = CRC32C_TABLE[(sum ^ byte) & 0xff]! ^ (sum >>> 8);
    },
    digest: () => bigEndian(~sum),
  };
}

// Two 32-bit halves: BigInt arithmetic per byte is about twenty times slower.
function crc64Stream(): ChecksumStream {
  let high = 0xffffffff;
  let low = 0xffffffff;
  return {
    update(chunk) {
      for (const byte of chunk) {
        const at = (low ^ byte) & 0xff;
        low = ((low >>> 8) | (high << 24)) ^ CRC64_LOW[at]!;
        high = (high >>> 8) ^ CRC64_HIGH[at]!;
      }
    },
    digest: () => bigEndian(~high, ~low),
  };
}

const CRC32C_POLYNOMIAL = 0x82f63b78;
const CRC64_POLYNOMIAL_HIGH = 0x9a6c9329;
const CRC64_POLYNOMIAL_LOW = 0xac4bc9b5;

const CRC32C_TABLE = new Uint32Array(256);
const CRC64_HIGH = new Uint32Array(256);
const CRC64_LOW = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let sum = byte;
  let high = 0;
  let low = byte;
  for (let bit = 0; bit < 8; bit++) {
    sum = (sum >>> 1) ^ (sum & 1 ? CRC32C_POLYNOMIAL : 0);
    const carry = low & 1;
    low = ((low >>> 1) | (high << 31)) ^ (carry ? CRC64_POLYNOMIAL_LOW : 0);
    high = (high >>> 1) ^ (carry ? CRC64_POLYNOMIAL_HIGH : 0);
  }
  CRC32C_TABLE[byte] = sum;
  CRC64_HIGH[byte] = high;
  CRC64_LOW[byte] = low;
}

function bigEndian(...words: readonly number[]): string {
  const bytes = Buffer.alloc(4 * words.length);
  for (const [position, word] of words.entries()) bytes.writeUInt32BE(word >>> 0, 4 * position);
  return bytes.toString('base64');
}
