import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../listen.ts';

export interface AwsCall {
  readonly method: string;
  readonly path: string;
  readonly target: string;
  readonly body: Record<string, unknown>;
}

export interface AwsReply {
  readonly status: number;
  readonly body: unknown;
}

export interface AwsStub {
  readonly url: string;
  readonly calls: AwsCall[];
  /** Sets the response of the next calls. */
  answer(status: number, body: unknown): void;
  /** Sets a function for the responses of the next calls. */
  answerBy(reply: (call: AwsCall) => AwsReply): void;
  close(): Promise<void>;
}

/** Records SDK requests over HTTP. EventBridge and EventBridge Scheduler have no local engine. */
export async function startAwsStub(): Promise<AwsStub> {
  const calls: AwsCall[] = [];
  let reply: (call: AwsCall) => AwsReply = () => ({ status: 200, body: {} });
  const server: Server = createServer((request, response) => {
    void text(request).then((body) => {
      const call = {
        method: request.method ?? '',
        path: request.url ?? '',
        target: String(request.headers['x-amz-target'] ?? ''),
        body: JSON.parse(body || '{}') as Record<string, unknown>,
      };
      calls.push(call);
      const answer = reply(call);
      response
        .writeHead(answer.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer.body));
    });
  });
  const { url, close } = await listen(server);
  return {
    url,
    calls,
    answer(status, body) {
      reply = () => ({ status, body });
    },
    answerBy(by) {
      reply = by;
    },
    close,
  };
}
