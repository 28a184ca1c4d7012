import { crc32, inflateRawSync } from 'node:zlib';

export interface UnzippedFile {
  readonly name: string;
  readonly content: Buffer;
  readonly mode: number;
}

const END = 0x0605_4b50;
const DIRECTORY_LINE = 0x0201_4b50;
const HEADER = 0x0403_4b50;

/** Reads an archive as others do, from its end, and checks what both descriptions of a file say. */
export function unzip(archive: Buffer): UnzippedFile[] {
  const end = archive.length - 22;
  expectEqual('end', archive.readUInt32LE(end), END);
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  expectEqual('size of the directory', archive.readUInt32LE(end + 12), end - at);
  return Array.from({ length: count }, () => {
    expectEqual('line of the directory', archive.readUInt32LE(at), DIRECTORY_LINE);
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const mode = archive.readUInt32LE(at + 38) >>> 16;
    const header = archive.readUInt32LE(at + 42);
    expectEqual('header', archive.readUInt32LE(header), HEADER);
    const described = archive.subarray(at + 6, at + 32);
    if (!archive.subarray(header + 4, header + 30).equals(described)) {
      throw new Error(`${name} is described in two ways`);
    }
    const start = header + 30 + nameLength;
    const content = inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(at + 20)));
    expectEqual(`length of ${name}`, archive.readUInt32LE(at + 24), content.length);
    expectEqual(`checksum of ${name}`, archive.readUInt32LE(at + 16), crc32(content));
    at += 46 + nameLength;
    return { name, content, mode };
  });
}

function expectEqual(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${what}: ${found}, expected ${expected}`);
}
