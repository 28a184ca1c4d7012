/** Alias of `@aws-sdk/endpoint-cache`: endpoint discovery is opt-in, and no client here uses it. */
export class EndpointCache {
  getEndpoint(): undefined {
    return undefined;
  }
}
