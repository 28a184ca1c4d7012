import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { RegistryTarget } from '@cairn/shared/prune/images/pruner-spec';
import { messageOf } from '@cairn/shared/text/message-of';
import { CLIENT_SETTINGS, requestHandler } from '../../store/client-settings.ts';
import { placeOf } from '../../store/pruner-seeds.ts';

/** The folder of a registry as a deployment grants it; `roleArn` is there when its bucket is worked in by a role. */
export interface GrantedRegistry extends RegistryTarget {
  readonly roleArn?: string;
}

export interface RegistryWork {
  readonly pruner: string;
  /** The slot of the run. */
  readonly run: string;
}

/** A client that works in a registry's bucket by its role; undefined for one that asks for none. */
export type RegistryByRole = (target: RegistryTarget, work: RegistryWork) => S3Client | undefined;

export interface RoleSettings {
  /** What a role may ask for, to be sure which deployment it is that takes it on. */
  readonly externalId: string;
  readonly client: S3ClientConfig;
}

export function registryByRole(
  granted: readonly GrantedRegistry[],
  { externalId, client }: RoleSettings,
): RegistryByRole {
  const roles = new Map(granted.map((registry) => [placeOf(registry), registry.roleArn]));
  return (target, work) => {
    const roleArn = roles.get(placeOf(target));
    if (roleArn === undefined) return undefined;
    // The client asks again for what is about to expire.
    return new S3Client({ ...client, credentials: () => takeOn(roleArn, externalId, work) });
  };
}

async function takeOn(roleArn: string, externalId: string, work: RegistryWork) {
  const { AssumeRoleCommand, STSClient } = await import('@aws-sdk/client-sts');
  const client = new STSClient({ ...CLIENT_SETTINGS, requestHandler: requestHandler(), maxAttempts: 4 });
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
