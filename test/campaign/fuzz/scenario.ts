import { gzipSync } from 'node:zlib';
import { clusterVersion, listOf, node } from '../../helpers/cluster/objects.ts';
import { CLUSTER_IDS, PRUNER_NAMES, SWITCHES } from './grammar/pools.ts';
import type { FuzzRequest, Shot } from './request.ts';
import type { Target } from './target.ts';
import type { WireAnswer } from './wire.ts';

/** What answers said that later requests use: `@etag@` in a request stands for the last entity tag, and so on. */
export class Scenario {
  readonly #known = new Map<string, string>([
    ['etag', '"x"'],
    ['cursor', 'x'],
    ['run', '2026-01-01T00:00:00.000Z'],
    ['upload', 'x'],
  ]);
  readonly #url: string;
  #uploads: readonly string[] = [];
  #uploadTurn = 0;

  private constructor(url: string) {
    this.#url = url;
  }

  /** Clusters, pruners and uploads to begin with. */
  static async create({ url }: Target): Promise<Scenario> {
    const scenario = new Scenario(url);
    for (const id of CLUSTER_IDS.slice(0, 3)) {
      await put(`${url}/v1/clusters/${id}`, { documents: [clusterVersion, node('a')] });
    }
    for (const name of PRUNER_NAMES.slice(0, 2))
      await put(`${url}/v1/image-pruners/${name}`, { suspend: true });
    scenario.#uploads = await Promise.all(UPLOADS.map((content) => uploaded(url, content)));
    return scenario;
  }

  /** What a request stopped by hand would stay so, and hide all behind it. */
  async startAgain(): Promise<void> {
    for (const name of SWITCHES) await put(`${this.#url}/v1/switches/${name}`, { stopped: false });
  }

  fill(shot: Shot): Shot {
    if (shot.kind === 'raw') return shot;
    this.#known.set('upload', this.#uploads[this.#uploadTurn++ % this.#uploads.length] ?? 'x');
    const { target, headers, body } = shot.request;
    const request: FuzzRequest = {
      ...shot.request,
      target: this.#filled(target, encodeURIComponent),
      headers: headers.map(([name, value]) => [name, this.#filled(value)]),
      body: body && this.#filledBody(body),
    };
    return { kind: 'request', request };
  }

  learn({ headers, body, status }: WireAnswer): void {
    const etag = headers.get('etag');
    if (etag !== undefined) this.#known.set('etag', etag);
    if (status >= 300 || !headers.get('content-type')?.startsWith('application/json')) return;
    const text = body.toString('utf8', 0, 100_000);
    const cursor = /"nextCursor":"([^"]+)"/.exec(text)?.[1];
    if (cursor !== undefined) this.#known.set('cursor', cursor);
    const run = /"slot":"([^"]+)"/.exec(text)?.[1];
    if (run !== undefined) this.#known.set('run', run);
  }

  #filled(text: string, encode = (value: string): string => value): string {
    return text.replaceAll(/@(\w+)@|%40(\w+)%40/g, (marker, plain?: string, encoded?: string) => {
      const value = this.#known.get(plain ?? encoded ?? '');
      return value === undefined ? marker : encode(value);
    });
  }

  #filledBody(body: Uint8Array): Uint8Array {
    const bytes = Buffer.from(body);
    if (bytes.indexOf('@upload@') === -1) return body;
    return Buffer.from(this.#filled(bytes.toString('utf8')));
  }
}

const UPLOADS: readonly (Buffer | null)[] = [
  Buffer.from(JSON.stringify(listOf(clusterVersion, node('a'), node('b')))),
  gzipSync(JSON.stringify([clusterVersion])),
  Buffer.from('{"kind":"List","items":['),
  gzipSync(Buffer.alloc(20 * 1024 * 1024, '[')),
  Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]),
  Buffer.alloc(0),
  // Asked for and never sent.
  null,
];

async function put(url: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} was answered by ${answer.status} ${await answer.text()}`);
}

async function uploaded(url: string, content: Buffer | null): Promise<string> {
  const answer = await fetch(`${url}/v1/uploads`, { method: 'POST' });
  const { upload, url: place } = (await answer.json()) as { upload: string; url: string };
  if (content !== null) {
    const put = await fetch(place, { method: 'PUT', body: new Uint8Array(content) });
    if (!put.ok) throw new Error(`the upload was answered by ${put.status} ${await put.text()}`);
  }
  return upload;
}
