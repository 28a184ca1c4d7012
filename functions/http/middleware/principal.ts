/** What API Gateway tells of who calls, in events of the payload 2.0. */
export interface Authorizer {
  readonly iam?: { readonly userArn?: string | null };
  readonly jwt?: { readonly claims?: Readonly<Record<string, unknown>> };
}

const LONGEST = 256;

/** Who calls: the ARN of a signed request, `sub` of a token with its client, `local` where nobody is asked. */
export function principalOf(authorizer: Authorizer | undefined): string {
  const arn = authorizer?.iam?.userArn;
  if (arn) return arn.slice(0, LONGEST);
  const claims = authorizer?.jwt?.claims;
  if (claims === undefined) return 'local';
  const names = [claims['sub'], claims['client_id']].filter((name) => typeof name === 'string');
  return (names.length > 0 ? names.join(' by ') : 'unknown').slice(0, LONGEST);
}
