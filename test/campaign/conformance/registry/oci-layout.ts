import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export const IMAGE = 'application/vnd.oci.image.manifest.v1+json';
export const INDEX = 'application/vnd.oci.image.index.v1+json';
export const CONFIG = 'application/vnd.oci.image.config.v1+json';
const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';

export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly os: string; readonly architecture: string };
  /** Where the layer is, if no registry may have it. */
  readonly urls?: readonly string[];
}

/** A folder of images as clients read it: an OCI image layout. */
export class OciLayout {
  readonly dir: string;
  readonly #named: (Descriptor & { readonly annotations: Readonly<Record<string, string>> })[] = [];

  constructor(dir: string) {
    this.dir = dir;
    mkdirSync(join(dir, 'blobs/sha256'), { recursive: true });
    writeFileSync(join(dir, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  }

  /** An image of layers that hold one file each; gives its descriptor. */
  image(files: readonly string[], architecture = 'amd64'): Descriptor {
    const tars = files.map(tarOf);
    const layers = tars.map((tar) => this.#blob(LAYER, gzipSync(tar)));
    const config = this.#blob(
      CONFIG,
      JSON.stringify({
        architecture,
        os: 'linux',
        config: {},
        rootfs: { type: 'layers', diff_ids: tars.map((tar) => digestOf(tar)) },
        history: files.map((file) => ({ created_by: `ADD ${file}` })),
      }),
    );
    const manifest = { schemaVersion: 2, mediaType: IMAGE, config, layers };
    return { ...this.#blob(IMAGE, JSON.stringify(manifest)), platform: { os: 'linux', architecture } };
  }

  index(manifests: readonly Descriptor[]): Descriptor {
    return this.#blob(INDEX, JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests }));
  }

  /** Makes it known by a name. */
  name(descriptor: Descriptor, name: string): void {
    this.#named.push({ ...descriptor, annotations: { 'org.opencontainers.image.ref.name': name } });
    const index = { schemaVersion: 2, mediaType: INDEX, manifests: this.#named };
    writeFileSync(join(this.dir, 'index.json'), JSON.stringify(index));
  }

  #blob(mediaType: string, content: string | Uint8Array): Descriptor {
    const digest = digestOf(content);
    writeFileSync(join(this.dir, 'blobs', digest.replace(':', '/')), content);
    return { mediaType, digest, size: Buffer.byteLength(content) };
  }
}

export function digestOf(content: string | Uint8Array, algorithm = 'sha256'): string {
  return `${algorithm}:${createHash(algorithm).update(content).digest('hex')}`;
}

/** An archive of one file that is named after its content. */
function tarOf(content: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(content.replaceAll(/[^a-z0-9]/g, '-').slice(0, 90), 0);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  body.write(content);
  return Buffer.concat([header, body, Buffer.alloc(1024)]);
}
