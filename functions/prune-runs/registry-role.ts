import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import type { RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import { messageOf } from '@cairn/shared/text/quote';
import { placeOf } from '../pruners/store.ts';
import { createBucketClient } from '../store/bucket.ts';
import { clientSettings } from '../store/client.ts';

/** The folder of a registry as a deployment grants it; `roleArn` is there when its bucket is worked in by a role. */
export interface GrantedRegistry extends RegistryTarget {
  readonly roleArn?: string;
}

interface RegistryWork {
  readonly pruner: string;
  /** The slot of the run. */
  readonly run: string;
}

/** A client that works in a registry's bucket by its role; undefined for one that asks for none. */
export type RegistryByRole = (target: RegistryTarget, work: RegistryWork) => S3Client | undefined;

/** Deletions come by the thousand, and S3 answers some of them with SlowDown. A registry may be in another region. */
export function createRegistryClient(overrides: S3ClientConfig = {}): S3Client {
  return createBucketClient(8, { followRegionRedirects: true, ...overrides });
}

/** `externalId` is what a role may ask for, to be sure which deployment it is that takes it on. */
export function registryByRole(granted: readonly GrantedRegistry[], externalId: string): RegistryByRole {
  const roles = new Map(granted.map((registry) => [placeOf(registry), registry.roleArn]));
  return (target, work) => {
    const roleArn = roles.get(placeOf(target));
    if (roleArn === undefined) return undefined;
    // The client asks again for what is about to expire.
    return createRegistryClient({ credentials: () => takeOn(roleArn, externalId, work) });
  };
}

async function takeOn(roleArn: string, externalId: string, work: RegistryWork) {
  const { AssumeRoleCommand, STSClient } = await import('@aws-sdk/client-sts');
  const client = new STSClient(clientSettings(4));
  try {
    const { Credentials: given } = await client.send(
      new AssumeRoleCommand({
        RoleArn: roleArn,
        RoleSessionName: sessionName(work),
        ExternalId: externalId,
      }),
    );
    return {
      accessKeyId: given!.AccessKeyId!,
      secretAccessKey: given!.SecretAccessKey!,
      sessionToken: given!.SessionToken!,
      expiration: given!.Expiration!,
    };
  } catch (error) {
    throw new Error(`the role ${roleArn} could not be taken on: ${messageOf(error)}`, { cause: error });
  } finally {
    client.destroy();
  }
}

/** What the log of the other account shows: `cluster@20270301T000000Z`, in the 64 characters that STS takes. */
function sessionName({ pruner, run }: RegistryWork): string {
  return `${pruner.slice(0, 47)}@${run.replaceAll(/[-:]|\.\d+/g, '')}`;
}
