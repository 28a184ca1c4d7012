const GATEWAY_HOST = /^[a-z0-9-]+\.execute-api\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?$/;

/** The region that an address of API Gateway tells; undefined for any other host. */
export function gatewayRegion(hostname: string): string | undefined {
  return GATEWAY_HOST.exec(hostname)?.[1];
}
