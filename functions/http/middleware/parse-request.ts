import type { Call, HttpMiddleware } from '../endpoint.ts';
import { parseBody, parseQuery, principalOf } from '../request.ts';

export function parseRequest(): HttpMiddleware {
  return {
    before: function parseRequestBefore(request) {
      const { event, context } = request;
      const route = context.route!;
      const query = parseQuery(route, event.rawQueryString);
      const setCall = (body: unknown): void => {
        const call = {
          query,
          path: context.path!,
          body,
          method: route.method,
          headers: event.headers,
          principal: principalOf(event.requestContext.authorizer),
        };
        // Parsed with the schemas of the route, so the types match.
        request.context = { ...context, call: call as unknown as Call };
      };
      const body = parseBody(route, event);
      return body === undefined ? setCall(undefined) : body.then(setCall);
    },
  };
}
