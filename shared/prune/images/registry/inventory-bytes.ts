import type { InventorySource, UnknownKeys, Upload } from './inventory-view.ts';

interface Head {
  readonly format: typeof FORMAT;
  readonly root: string;
  readonly count: number;
  readonly rows: number;
  readonly others: number;
  readonly unknown: UnknownKeys;
  readonly otherDigests: readonly (readonly [number, string])[];
  readonly repositories: readonly string[];
  readonly tags: readonly string[];
  readonly uploads: readonly Upload[];
}

const FORMAT = 'cairn-inventory-2';

/**
 * Layout: length of the JSON header in four bytes, header with all names, columns aligned to eight bytes, little-endian
 * as on every current JavaScript platform.
 */
export function encodeInventory(source: InventorySource): Uint8Array<ArrayBuffer> {
  const { digests, uploads, others, unknown, root } = source;
  const { repositories, tags, repository, place, digest, modified } = source.links.rows();
  const count = digests.count;
  const head: Head = {
    format: FORMAT,
    root,
    count,
    rows: place.length,
    others,
    unknown,
    otherDigests: [...digests.others()],
    repositories,
    tags,
    uploads,
  };
  const headBytes = new TextEncoder().encode(JSON.stringify(head));
  const sizes = new Float64Array(count).fill(-1);
  const times = new Float64Array(count);
  sizes.set(source.blobSizes.subarray(0, count));
  times.set(source.blobTimes.subarray(0, count));
  const columns = [digests.allWords(), sizes, times, repository, place, digest, modified];
  const length = columns.reduce(
    (total, column) => total + aligned(column.byteLength),
    aligned(4 + headBytes.length),
  );
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint32(0, headBytes.length, true);
  bytes.set(headBytes, 4);
  let at = aligned(4 + headBytes.length);
  for (const column of columns) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
    at += aligned(column.byteLength);
  }
  return bytes;
}

export function decodeInventory(bytes: Uint8Array) {
  // Typed arrays need a buffer aligned to eight bytes.
  const own = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const head = readHead(own);
  let at = aligned(4 + new DataView(own.buffer, own.byteOffset).getUint32(0, true));
  const numbers = (length: number): Uint32Array => {
    const column = new Uint32Array(own.buffer, own.byteOffset + at, length);
    at += aligned(column.byteLength);
    return column;
  };
  const floats = (length: number): Float64Array => {
    const column = new Float64Array(own.buffer, own.byteOffset + at, length);
    at += aligned(column.byteLength);
    return column;
  };
  const { count, rows, repositories, tags, root, others, unknown, uploads } = head;
  if (own.length !== at + aligned(count * 32) + 16 * count + 3 * aligned(4 * rows) + 8 * rows) {
    throw new Error('the bytes of an inventory were cut');
  }
  return {
    root,
    count,
    others,
    unknown,
    uploads,
    otherDigests: new Map(head.otherDigests),
    words: numbers(count * 8),
    blobSizes: floats(count),
    blobTimes: floats(count),
    links: {
      repositories,
      tags,
      repository: numbers(rows),
      place: numbers(rows),
      digest: numbers(rows),
      modified: floats(rows),
    },
  };
}

function readHead(bytes: Uint8Array): Head {
  const length = bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  try {
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as Head;
    if (head.format === FORMAT) return head;
  } catch {
    // The error is thrown below.
  }
  throw new Error('the bytes are no inventory');
}

function aligned(length: number): number {
  return Math.ceil(length / 8) * 8;
}
