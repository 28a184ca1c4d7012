import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pairName } from '@cairn/shared/releases/channel';
import { closeServer, listen } from '../http-server.ts';
import { type CincinnatiGraph, demoGraph } from './graph.ts';

const GRAPH_PATH = '/api/upgrades_info/v1/graph';
const CHANNEL = /^[0-9a-z\-.]+$/;
const ARCH = /^[0-9a-z]+$/;
const EMPTY_GRAPH: CincinnatiGraph = { version: 1, nodes: [], edges: [], conditionalEdges: [] };

const compress = promisify(gzip);

/** By channel and architecture: a sync requests the same graphs in every round. Only demo channels are cached. */
type CompressedGraphs = Map<string, Promise<Buffer>>;

interface Answer {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

export interface DemoUpstream {
  /** Graph URL; clients append `?channel=…&arch=…`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Imitates the public update service. */
export async function startDemoUpstream(options: { host: string; port: number }): Promise<DemoUpstream> {
  const compressed: CompressedGraphs = new Map();
  const server = createServer((request, response) => {
    answer(request, compressed).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (error: Error) => response.destroy(error),
    );
  });
  const url = await listen(server, options);
  return { url: `${url}${GRAPH_PATH}`, close: () => closeServer(server) };
}

async function answer(request: IncomingMessage, compressed: CompressedGraphs): Promise<Answer> {
  const url = URL.parse(request.url ?? '', 'http://demo');
  if (url?.pathname !== GRAPH_PATH) return { status: 404 };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, headers: { allow: 'GET, HEAD' } };
  }
  // In the protocol the last of repeated parameters wins.
  const channel = url.searchParams.getAll('channel').at(-1);
  const arch = url.searchParams.getAll('arch').at(-1) ?? 'amd64';
  if (channel === undefined) return refusal('missing_params', 'mandatory client parameters missing: channel');
  if (!CHANNEL.test(channel)) return refusal('invalid_params', mismatch('channel', channel, CHANNEL));
  if (!ARCH.test(arch)) return refusal('invalid_params', mismatch('arch', arch, ARCH));

  const headers = { 'content-type': 'application/json', vary: 'accept-encoding' };
  if (!acceptsGzip(request.headers['accept-encoding'])) {
    return { status: 200, headers, body: JSON.stringify(demoGraph(channel, arch) ?? EMPTY_GRAPH) };
  }
  const body = await compressedGraph(channel, arch, compressed);
  return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body };
}

function compressedGraph(channel: string, arch: string, compressed: CompressedGraphs): Promise<Buffer> {
  const key = pairName(channel, arch);
  const known = compressed.get(key);
  if (known !== undefined) return known;
  const graph = demoGraph(channel, arch);
  const body = compress(JSON.stringify(graph ?? EMPTY_GRAPH));
  if (graph !== null) compressed.set(key, body);
  return body;
}

function refusal(kind: string, value: string): Answer {
  return {
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind, value }),
  };
}

function mismatch(parameter: string, value: string, pattern: RegExp): string {
  return `invalid client parameters: ${parameter} '${value}' does not match regex '${pattern.source}'`;
}

function acceptsGzip(header: string | undefined): boolean {
  return (header ?? '').split(',').some((range) => {
    const [coding, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return coding === 'gzip' && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
  });
}
