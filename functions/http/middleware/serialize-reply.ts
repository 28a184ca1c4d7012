import { conditionalResult } from '../conditional-result.ts';
import type { HttpMiddleware } from '../endpoint.ts';
import { type HttpResult, json, type Reply } from '../reply.ts';

/** Converts the endpoint's reply to a gateway result. */
export function serializeReply(): HttpMiddleware {
  return {
    after: function serializeReplyAfter(request) {
      const reply = request.response as Reply<unknown>;
      const { route } = request.context;
      const result =
        'answer' in reply
          ? reply.answer
          : json(reply.status ?? route!.success.status, reply.data, reply.headers);
      const { headers, requestContext } = request.event;
      const send = (sent: HttpResult): void => {
        request.response = requestContext.http.method === 'HEAD' ? { ...sent, body: '' } : sent;
      };
      // Stored content has one tag per encoding, by which its answer was chosen.
      const { etag, vary } = result.headers ?? {};
      const isStored = 'answer' in reply && etag !== undefined && vary !== undefined;
      if (route?.method !== 'GET' || result.statusCode !== 200 || isStored) send(result);
      // Not on demand: loading its file takes several times as long as compiling it with the others.
      else send(conditionalResult(result, headers));
    },
  };
}
