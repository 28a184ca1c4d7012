import { badInput, notKnown } from '../cli/failure.ts';
import type { Authorize } from '../cli/service/remote-service.ts';
import { messageOf } from '@cairn/shared/text/quote';
import { type AwsCredentials, signedHeaders } from './sign.ts';

/** Signs with the credentials that the AWS tools of this machine would use; without any nothing is signed. */
export function signRequests(region: string | null, host: string): Authorize {
  let known: Promise<(() => Promise<AwsCredentials>) | null> | undefined;
  return async ({ method, url, headers, body }) => {
    known ??= findCredentials();
    const credentials = await known;
    if (!credentials) return {};
    if (region === null) {
      throw badInput(`the region of ${host} is not known, give it with --region, such as eu-west-1`);
    }
    return signedHeaders({ method, url, headers, body: Buffer.from(body) }, await credentials(), region);
  };
}

async function findCredentials(): Promise<(() => Promise<AwsCredentials>) | null> {
  // Loaded with the first request that is signed: it is larger than all of the rest.
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  const provider = defaultProvider({ timeout: 1_000, maxRetries: 0 });
  try {
    await provider();
    return async () => provider();
  } catch (error) {
    const { name } = error as Error;
    if (name === 'CredentialsProviderError') return null;
    throw notKnown(`there are no AWS credentials: ${messageOf(error)}`);
  }
}
