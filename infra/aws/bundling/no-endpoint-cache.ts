/** Stands in for `@aws-sdk/endpoint-cache`: a client discovers endpoints only when it is told to, which none of ours is. */
export class EndpointCache {
  getEndpoint(): undefined {
    return undefined;
  }
}
