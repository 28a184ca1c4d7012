import { CONFIG, type Descriptor, digestOf, IMAGE, INDEX } from './oci-layout.ts';

const LAYER = 'application/vnd.oci.image.layer.v1.tar';

export interface Found {
  readonly status: number;
  readonly digest: string | null;
}

/** Speaks to a registry without a program per push: for many pushes, and for steps that skopeo does not offer. */
export class RegistryClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = `${url}/v2`;
  }

  /** Layers and config, then manifest and tag. Returns the digest of the manifest. */
  async push(repository: string, tag: string, layers: readonly string[]): Promise<string> {
    const descriptors = [];
    for (const layer of layers) descriptors.push(await this.blob(repository, Buffer.from(layer)));
    return this.image(repository, tag, descriptors);
  }

  async image(repository: string, tag: string, layers: readonly Descriptor[]): Promise<string> {
    const config = await this.blob(repository, Buffer.from(JSON.stringify({ of: tag })));
    const manifest = { schemaVersion: 2, mediaType: IMAGE, config: { ...config, mediaType: CONFIG }, layers };
    return this.manifest(repository, tag, manifest);
  }

  async blob(repository: string, content: Buffer, algorithm?: string): Promise<Descriptor> {
    const digest = digestOf(content, algorithm);
    const known = await this.look(`${repository}/blobs/${digest}`);
    if (known.status !== 200) await this.finish(await this.begin(repository), digest, content);
    return { mediaType: LAYER, digest, size: content.length };
  }

  /** The place of a new upload. */
  async begin(repository: string): Promise<string> {
    return placeOf(await this.#send('POST', `${this.#url}/${repository}/blobs/uploads/`, 202));
  }

  /** Its new place. */
  async append(place: string, chunk: Buffer): Promise<string> {
    return placeOf(await this.#send('PATCH', place, 202, chunk));
  }

  async finish(place: string, digest: string, rest: Buffer = Buffer.alloc(0)): Promise<void> {
    const url = new URL(place);
    url.searchParams.set('digest', digest);
    await this.#send('PUT', url.href, 201, rest);
  }

  async mount(repository: string, digest: string, from: string): Promise<void> {
    const query = new URLSearchParams({ mount: digest, from }).toString();
    await this.#send('POST', `${this.#url}/${repository}/blobs/uploads/?${query}`, 201);
  }

  async manifest(repository: string, reference: string, document: { mediaType: string }): Promise<string> {
    const body = Buffer.from(JSON.stringify(document));
    await this.#send(
      'PUT',
      `${this.#url}/${repository}/manifests/${reference}`,
      201,
      body,
      document.mediaType,
    );
    return digestOf(body);
  }

  async deleteManifest(repository: string, digest: string): Promise<void> {
    await this.#send('DELETE', `${this.#url}/${repository}/manifests/${digest}`, 202);
  }

  /** The status and digest that a client is told of a manifest or a blob. */
  async look(path: string): Promise<Found> {
    const headers = { accept: `${INDEX}, ${IMAGE}` };
    const { status, headers: answered } = await fetch(`${this.#url}/${path}`, { method: 'HEAD', headers });
    return { status, digest: answered.get('docker-content-digest') };
  }

  /** Also by way of a redirect. */
  async read(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Buffer> {
    const answer = await fetch(`${this.#url}/${path}`, {
      headers: { accept: `${INDEX}, ${IMAGE}`, ...headers },
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${body.toString().slice(0, 500)}`);
    return body;
  }

  /** Every tag of every repository as the registry lists them. */
  async tags(): Promise<string[]> {
    const { repositories } = JSON.parse((await this.read('_catalog')).toString()) as {
      repositories: string[];
    };
    const names = await Promise.all(
      repositories.map(async (repository) => {
        // A repository without a tag is still listed.
        const answer = await fetch(`${this.#url}/${repository}/tags/list`);
        const { tags } = (await answer.json()) as { tags?: string[] | null };
        return (tags ?? []).map((tag) => `${repository}:${tag}`);
      }),
    );
    return names.flat().toSorted();
  }

  /** Reads all that a tag leads to. Throws if something is missing or is not what its digest says. */
  async pull(repository: string, reference: string): Promise<void> {
    const bytes = await this.read(`${repository}/manifests/${reference}`);
    const {
      config,
      layers = [],
      manifests = [],
    } = JSON.parse(bytes.toString()) as {
      config?: Descriptor;
      layers?: readonly Descriptor[];
      manifests?: readonly Descriptor[];
    };
    for (const { digest } of manifests) await this.pull(repository, digest);
    for (const { digest, urls } of [...(config === undefined ? [] : [config]), ...layers]) {
      if (urls !== undefined) continue;
      const content = await this.read(`${repository}/blobs/${digest}`);
      if (digestOf(content, digest.split(':')[0]) !== digest) throw new Error(`${digest} is another content`);
    }
  }

  async #send(
    method: string,
    url: string,
    expected: number,
    body?: Buffer,
    type = 'application/octet-stream',
  ): Promise<Response> {
    const headers = { 'content-type': type };
    const answer = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    });
    if (answer.status === expected) return answer;
    throw new Error(`${method} ${url}: ${answer.status} ${(await answer.text()).slice(0, 500)}`);
  }
}

function placeOf(answer: Response): string {
  return new URL(answer.headers.get('location')!, answer.url).href;
}
