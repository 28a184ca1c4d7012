import type { Call, HttpMiddleware } from '../endpoint.ts';
import { parseQuery, principalOf } from '../request.ts';

export function parseRequest(): HttpMiddleware {
  return {
    before: function parseRequestBefore(request) {
      const { event, context } = request;
      const { route } = context;
      // OPTIONS, which has no call.
      if (!route) return undefined;
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
      if (!route.documents && !route.resource && !route.body) return setCall(undefined);
      // On demand: most requests have no body, and their cold start is without this code.
      return import('../body.ts').then(({ parseBody }) => parseBody(route, event)).then(setCall);
    },
  };
}
