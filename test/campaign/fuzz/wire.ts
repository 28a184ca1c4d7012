import { connect, type Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { FuzzRequest, RawExchange } from './request.ts';

export interface WireAnswer {
  readonly status: number;
  /** As they came, in order. */
  readonly headerLines: readonly string[];
  /** By lower-case name; of repeated ones the last. */
  readonly headers: ReadonlyMap<string, string>;
  /** Decompressed. */
  readonly body: Buffer;
  readonly milliseconds: number;
}

/** What came of a request: an answer, or what there was in its place. */
export type WireOutcome =
  | { readonly kind: 'answer'; readonly answer: WireAnswer }
  | { readonly kind: 'closed' | 'no answer'; readonly detail: string };

const PATIENCE_MS = 30_000;
const HEAD_END = '\r\n\r\n';

/** A connection that sends bytes as they are and reads answers strictly. It is made anew when the server ends it. */
export class Wire {
  readonly #port: number;
  #socket: Socket | undefined;
  #received = Buffer.alloc(0);
  #onChange = (): void => {};
  #end: string | null = null;

  constructor(port: number) {
    this.#port = port;
  }

  async send(request: FuzzRequest): Promise<WireOutcome> {
    // A server may close a connection that was idle at any moment, which is no answer to this request.
    const isFresh = this.#socket === undefined;
    const outcome = await this.#exchange(requestBytes(request, this.#port), request.method);
    return outcome.kind === 'closed' && !isFresh
      ? this.#exchange(requestBytes(request, this.#port), request.method)
      : outcome;
  }

  /** On a connection of its own. */
  async sendRaw({ pieces, isCut }: RawExchange): Promise<WireOutcome> {
    this.close();
    await this.#open();
    for (const piece of pieces) {
      this.#socket?.write(Buffer.from(piece.replaceAll('@port@', String(this.#port)), 'latin1'));
      // In packets of their own.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (isCut) {
      this.close();
      return { kind: 'closed', detail: 'we cut it' };
    }
    this.#socket?.end();
    const outcome = await this.#readAnswer('RAW', performance.now());
    this.close();
    return outcome;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async #exchange(bytes: Buffer, method: string): Promise<WireOutcome> {
    if (this.#socket === undefined) await this.#open();
    const start = performance.now();
    this.#socket!.write(bytes);
    const outcome = await this.#readAnswer(method, start);
    const isLast = outcome.kind !== 'answer' || outcome.answer.headers.get('connection') === 'close';
    if (isLast) this.close();
    return outcome;
  }

  async #open(): Promise<void> {
    const socket = connect(this.#port, '127.0.0.1');
    socket.setNoDelay(true);
    this.#socket = socket;
    this.#received = Buffer.alloc(0);
    this.#end = null;
    const ended = (why: string) => (): void => {
      if (this.#socket !== socket) return;
      this.#end ??= why;
      this.#onChange();
    };
    socket.on('data', (chunk: Buffer) => {
      if (this.#socket !== socket) return;
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#onChange();
    });
    socket.on('error', (error) => ended(error.message)());
    socket.on('close', ended('closed by the server'));
    socket.on('end', ended('ended by the server'));
  }

  async #readAnswer(method: string, start: number): Promise<WireOutcome> {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const answer = this.#takeAnswer(method, start);
      if (answer !== null) return { kind: 'answer', answer };
      if (this.#end !== null) return { kind: 'closed', detail: this.#end };
      if (patience.aborted) return { kind: 'no answer', detail: `nothing within ${PATIENCE_MS} ms` };
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
        patience.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  /** The first whole answer of what came; interim ones are passed over. */
  #takeAnswer(method: string, start: number): WireAnswer | null {
    for (;;) {
      const headEnd = this.#received.indexOf(HEAD_END);
      if (headEnd === -1) return null;
      const [statusLine = '', ...headerLines] = this.#received.toString('latin1', 0, headEnd).split('\r\n');
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1] ?? Number.NaN);
      const headers = new Map(headerLines.map(splitHeader));
      const bodyStart = headEnd + HEAD_END.length;
      const hasBody = method !== 'HEAD' && status >= 200 && status !== 204 && status !== 304;
      const length = hasBody ? this.#bodyLength(headers, bodyStart) : { raw: 0, body: Buffer.alloc(0) };
      if (length === null) return null;
      this.#received = this.#received.subarray(bodyStart + length.raw);
      if (status >= 100 && status < 200) continue;
      const isGzip = headers.get('content-encoding') === 'gzip' && length.body.length > 0;
      const body = isGzip ? gunzipSync(length.body) : length.body;
      return { status, headerLines, headers, body, milliseconds: performance.now() - start };
    }
  }

  #bodyLength(headers: ReadonlyMap<string, string>, start: number): { raw: number; body: Buffer } | null {
    const announced = headers.get('content-length');
    if (announced !== undefined) {
      const raw = Number(announced);
      return this.#received.length < start + raw
        ? null
        : { raw, body: this.#received.subarray(start, start + raw) };
    }
    if (headers.get('transfer-encoding') === 'chunked') return readChunks(this.#received, start);
    // Without a length it ends with the connection.
    const rest = this.#received.subarray(start);
    return this.#end === null ? null : { raw: rest.length, body: rest };
  }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function readChunks(bytes: Buffer, start: number): { raw: number; body: Buffer } | null {
  const parts: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return null;
    if (size === 0) return { raw: next - start, body: Buffer.concat(parts) };
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}

/** Host and the length of the body are added where the request does not say them itself. */
function requestBytes({ method, target, headers, body }: FuzzRequest, port: number): Buffer {
  const has = (wanted: string): boolean => headers.some(([name]) => name.toLowerCase() === wanted);
  const lines = [`${method} ${target} HTTP/1.1`];
  if (!has('host')) lines.push(`host: 127.0.0.1:${port}`);
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  if (body !== null && !has('content-length')) lines.push(`content-length: ${body.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}${HEAD_END}`, 'latin1'), body ?? Buffer.alloc(0)]);
}
