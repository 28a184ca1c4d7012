import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import type { RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import { messageOf } from '@cairn/shared/text/quote';
import { placeOf } from '../pruners/store.ts';
import { createBucketClient } from '../store/bucket.ts';
import { clientSettings } from '../store/client.ts';

/** A registry folder that the deployment grants. `roleArn` is set if its bucket requires a role. */
export interface GrantedRegistry extends RegistryTarget {
  readonly roleArn?: string;
}

interface RegistryWork {
  readonly pruner: string;
  readonly run: string;
}

/** Returns undefined for a registry without a role. */
export type RegistryByRole = (target: RegistryTarget, work: RegistryWork) => S3Client | undefined;

/** Eight attempts: S3 returns SlowDown for some of thousands of deletions. The registry can be in another region. */
export function createRegistryClient(overrides: S3ClientConfig = {}): S3Client {
  return createBucketClient(8, { followRegionRedirects: true, ...overrides });
}

/** A role can require `externalId` to identify the deployment that assumes it. */
export function registryByRole(granted: readonly GrantedRegistry[], externalId: string): RegistryByRole {
  const roles = new Map(granted.map((registry) => [placeOf(registry), registry.roleArn]));
  return (target, work) => {
    const roleArn = roles.get(placeOf(target));
    if (roleArn === undefined) return undefined;
    // The client calls this again before the credentials expire.
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

/**
 * Shown in the CloudTrail log of the other account: `cluster@20270301T000000Z`, within the 64 characters that STS
 * accepts.
 */
function sessionName({ pruner, run }: RegistryWork): string {
  return `${pruner.slice(0, 47)}@${run.replaceAll(/[-:]|\.\d+/g, '')}`;
}
