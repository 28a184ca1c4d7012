import type { HttpMiddleware } from '../endpoint.ts';
import { json, type Reply } from '../reply.ts';

/** Converts the endpoint's reply to a gateway result. */
export function serializeReply(): HttpMiddleware {
  return {
    after: function serializeReplyAfter(request) {
      const reply = request.response as Reply<unknown>;
      const result =
        'answer' in reply
          ? reply.answer
          : json(reply.status ?? request.context.route!.success.status, reply.data, reply.headers);
      const isHead = request.event.requestContext.http.method === 'HEAD';
      request.response = isHead ? { ...result, body: '' } : result;
    },
  };
}
