import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import path from 'node:path';
import { listen } from '../listen.ts';

export interface Pair {
  readonly channel: string;
  readonly arch: string;
}

/** A complete response. Bytes and text are sent unchanged, everything else as JSON. */
export interface StubResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: OutgoingHttpHeaders;
}

/**
 * Response for a pair, or its promise: a StubResponse, bytes or text as the body of a 200, null for the empty graph,
 * anything else as JSON. A source that throws gives a 500.
 */
export type StubSource = (channel: string, arch: string) => unknown;

export interface CincinnatiStub {
  /** Graph URL, to which a client adds `?channel=…&arch=…`. */
  readonly url: string;
  /** All requests in order. */
  readonly requests: Pair[];
  /** Maximum number of concurrent requests. */
  readonly maxInFlight: number;
  setSource(source: StubSource): void;
  close(): Promise<void>;
}

const EMPTY_GRAPH = { version: 1, nodes: [], edges: [], conditionalEdges: [] };

/** An update service on a loopback port with responses of the test. */
export async function startCincinnatiStub(initialSource: StubSource): Promise<CincinnatiStub> {
  const requests: Pair[] = [];
  let source = initialSource;
  let inFlight = 0;
  let maxInFlight = 0;

  const server = createServer((request, response) => {
    inFlight++;
    maxInFlight = Math.max(maxInFlight, inFlight);
    response.once('close', () => inFlight--);
    const { searchParams } = new URL(request.url!, 'http://stub');
    const pair = { channel: searchParams.get('channel') ?? '', arch: searchParams.get('arch') ?? '' };
    requests.push(pair);
    ask(source, pair).then(
      ({ status, headers, body }) =>
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(toBytes(body)),
      (error: Error) => response.destroy(error),
    );
  });

  const { url, close } = await listen(server);
  return {
    url: `${url}/api/upgrades_info/v1/graph`,
    requests,
    get maxInFlight() {
      return maxInFlight;
    },
    setSource(next) {
      source = next;
    },
    close,
  };
}

/** Pairs in the manifest of a folder of recorded responses. */
export function listRecordedPairs(dir: string): Pair[] {
  return readManifest(dir).map(({ channel, arch }) => ({ channel, arch }));
}

/** Serves recorded responses as compressed bytes from disk. Other pairs get the empty graph. */
export function recordedUpstream(dir: string): StubSource {
  const files = new Map(readManifest(dir).map(({ channel, arch, file }) => [`${channel}/${arch}`, file]));
  return (channel, arch) => {
    const file = files.get(`${channel}/${arch}`);
    if (file === undefined) return null;
    const headers = { 'content-encoding': 'gzip' };
    return { status: 200, headers, body: readFileSync(path.join(dir, file)) } satisfies StubResponse;
  };
}

function readManifest(dir: string): readonly (Pair & { readonly file: string })[] {
  return JSON.parse(readFileSync(path.join(dir, 'manifest.json'), 'utf8')).files;
}

async function ask(source: StubSource, { channel, arch }: Pair): Promise<StubResponse> {
  let answer: unknown;
  try {
    answer = await source(channel, arch);
  } catch (error) {
    return { status: 500, body: String(error) };
  }
  if (answer === null) return { status: 200, body: EMPTY_GRAPH };
  return isToldInFull(answer) ? answer : { status: 200, body: answer };
}

function isToldInFull(answer: unknown): answer is StubResponse {
  return typeof answer === 'object' && answer !== null && 'status' in answer && 'body' in answer;
}

function toBytes(body: unknown): string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
}
