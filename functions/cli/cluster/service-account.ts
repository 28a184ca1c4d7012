import { messageOf } from '@cairn/shared/text/quote';
import { badInput } from '../failure.ts';
import type { Machine } from '../machine.ts';

/** Where every pod finds what its service account may use. */
const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** How a pod reaches the API of its cluster. */
export interface ServiceAccount {
  readonly api: URL;
  /** Who vouches for the API, in PEM. */
  readonly authority: string;
  /** Read anew each time: the cluster changes it while a pod runs. */
  token(): Promise<string>;
}

/** That of the pod which this runs in. */
export async function serviceAccount(machine: Machine): Promise<ServiceAccount> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = machine.variables;
  if (!host || !port) {
    throw badInput(
      '--in-cluster is for a pod of the cluster: KUBERNETES_SERVICE_HOST is not set here, use --oc',
    );
  }
  const text = async (name: string): Promise<string> => {
    const file = await machine.readFile(`${FOLDER}/${name}`).catch((error: unknown) => {
      throw badInput(
        `the ${name} of the service account can't be read: ${messageOf(error)}; is automountServiceAccountToken set?`,
      );
    });
    return Buffer.from(file.bytes).toString('utf8').trim();
  };
  const url = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (!URL.canParse(url)) throw badInput(`KUBERNETES_SERVICE_HOST and _PORT make no address: ${url}`);
  return { api: new URL(url), authority: await text('ca.crt'), token: () => text('token') };
}
