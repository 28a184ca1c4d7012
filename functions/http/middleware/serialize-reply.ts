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
      if (route?.method !== 'GET' || result.statusCode !== 200 || isStored) return send(result);
      // On demand: the start is without this code, because clusters poll stored content.
      return import('../conditional-result.ts').then(({ conditionalResult }) =>
        send(conditionalResult(result, headers)),
      );
    },
  };
}
