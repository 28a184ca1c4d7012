export interface GatewayRequest {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}
