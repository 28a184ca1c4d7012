import { crc32, deflateRawSync } from 'node:zlib';
import {
  CfnParameter,
  type DockerImageAssetLocation,
  type FileAssetLocation,
  type FileAssetSource,
  type ISynthesisSession,
  type Stack,
  StackSynthesizer,
} from 'aws-cdk-lib';

/** Code folder and the name of its archive in the template. */
interface CodeArchive {
  /** Relative to the synthesis output. */
  readonly folder: string;
  readonly file: string;
}

/**
 * Makes the code location a parameter of the deployment: the template needs no bucket, role or version of a CDK
 * bootstrap.
 */
export class ZipSynthesizer extends StackSynthesizer {
  readonly #archives = new Map<string, CodeArchive>();
  #codeBucket = '';
  #codePrefix = '';

  get archives(): readonly CodeArchive[] {
    return [...this.#archives.values()];
  }

  override bind(stack: Stack): void {
    super.bind(stack);
    this.#codeBucket = new CfnParameter(stack, 'CodeBucket', {
      description: 'The bucket with the zip files, in the region of the stack',
      allowedPattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
    }).valueAsString;
    this.#codePrefix = new CfnParameter(stack, 'CodePrefix', {
      description: 'What stands before the names of the zip files, such as cairn/; empty when nothing does',
      default: '',
      allowedPattern: '^$|^.*/$',
    }).valueAsString;
  }

  addFileAsset({ fileName, sourceHash, displayName }: FileAssetSource): FileAssetLocation {
    if (fileName === undefined) throw new Error(`the asset ${sourceHash} is made by a command`);
    const file = archiveName(displayName, sourceHash);
    this.#archives.set(file, { folder: fileName, file });
    const bucketName = this.#codeBucket;
    const objectKey = `${this.#codePrefix}${file}`;
    const s3ObjectUrl = `s3://${bucketName}/${objectKey}`;
    return { bucketName, objectKey, s3ObjectUrl, httpUrl: s3ObjectUrl };
  }

  addDockerImageAsset(): DockerImageAssetLocation {
    throw new Error('this stack has no images');
  }

  synthesize(session: ISynthesisSession): void {
    this.synthesizeTemplate(session);
    this.emitArtifact(session);
  }
}

/**
 * `Cairn/Pruning/RunPruner/Code` → `run-pruner-0123456789abcdef.zip`. CloudFormation updates a function only if the
 * file name changes.
 */
function archiveName(displayName: string | undefined, hash: string): string {
  const construct = displayName?.split('/').at(-2) ?? 'code';
  const words = construct.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
  return `${words}-${hash.slice(0, 16)}.zip`;
}

interface ZipEntry {
  /** Uses slashes between folders. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** 1980-01-01, the first day of the format: equal files give equal archives on any day. */
const DAY = 0x21;
const DEFLATED = 8;
/** Version 2.0 on Unix, so that the permissions below apply. */
const VERSION = 20;
const MADE_BY = (3 << 8) | VERSION;
/** UTF-8 names. */
const FLAGS = 0x800;
/** Regular file, world-readable, because Lambda runs it as another user. */
const RIGHTS = 0o100644 * 0x10000;

/** Orders files by name. Limits: 4 GB per file, fewer than 65,536 files. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const nameBytes = Buffer.from(name);
    const deflated = deflateRawSync(content, { level: 9 });
    // Common part of a file header and its directory entry.
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(VERSION, 0);
    shared.writeUInt16LE(FLAGS, 2);
    shared.writeUInt16LE(DEFLATED, 4);
    shared.writeUInt16LE(DAY, 8);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(deflated.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(nameBytes.length, 22);
    const header = Buffer.concat([Buffer.from('PK\u0003\u0004'), shared, nameBytes]);
    parts.push(header, deflated);

    const start = Buffer.from('PK\u0001\u0002\0\0');
    start.writeUInt16LE(MADE_BY, 4);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(RIGHTS, 6);
    place.writeUInt32LE(offset, 10);
    directory.push(start, shared, place, nameBytes);
    offset += header.length + deflated.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, list, Buffer.from('PK\u0005\u0006'), end]);
}
