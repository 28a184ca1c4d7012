import type { LoadRequest } from './client.ts';

const CHANNELS = ['stable-4.14', 'stable-4.16', 'fast-4.16', 'eus-4.16'] as const;
const ACCEPT = { accept: 'application/json', 'accept-encoding': 'gzip' };

const get = (weight: number, path: string): LoadRequest => ({ weight, method: 'GET', path, headers: ACCEPT });

/** What clusters poll. */
export const GRAPHS: readonly LoadRequest[] = CHANNELS.map((channel) =>
  get(1, `/api/upgrades_info/v1/graph?channel=${channel}&arch=amd64`),
);

/** A constant through the same front. */
export const CONSTANT: readonly LoadRequest[] = [get(1, '/healthz')];

/** 70 % graphs, 20 % versions, 10 % paths. */
export function mixOf(path: { readonly from: string; readonly to: string }): LoadRequest[] {
  return [
    ...GRAPHS.map((request, place) => ({ ...request, weight: place < 2 ? 18 : 17 })),
    get(10, '/v2/openshift-versions?only_latest=true'),
    get(10, '/v2/openshift-versions?version=4.16'),
    get(10, `/v1/upgrade-paths?from=${path.from}&to=${path.to}`),
  ];
}

/** A way over two minors that the demo channels have. */
export async function aWay(url: string): Promise<{ from: string; to: string }> {
  const nodesOf = async (channel: string): Promise<string[]> => {
    const answer = await fetch(`${url}/api/upgrades_info/v1/graph?channel=${channel}&arch=amd64`, {
      headers: { accept: 'application/json' },
    });
    const { nodes } = (await answer.json()) as { nodes: { version: string }[] };
    return nodes
      .map(({ version }) => version)
      .filter((version) => version.startsWith(channel.split('-')[1]!));
  };
  const [from] = await nodesOf('stable-4.14');
  const to = (await nodesOf('stable-4.16')).at(-1);
  if (from === undefined || to === undefined) throw new Error('the demo channels have no way to ask for');
  return { from, to };
}
