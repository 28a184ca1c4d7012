import type { ClusterSummary, SettingsAnswer } from '../data/responses.ts';
import { readJson, send } from '../data/api.ts';
import { goalOf } from './goal.ts';

/** What people have said of a cluster, as it was read. */
export interface HeldSettings {
  readonly settings: SettingsAnswer;
  /** Null while nobody has said anything. */
  readonly tag: string | null;
}

const pathOf = (id: string): string => `/v1/clusters/${encodeURIComponent(id)}/settings`;

export async function readSettings(id: string, signal: AbortSignal): Promise<HeldSettings> {
  return heldIn(await send(pathOf(id), { signal }));
}

/** Sets where a cluster is going, or with null takes it back. All else stays as it was read, or it is refused. */
export async function changeTarget(
  id: string,
  { settings, tag }: HeldSettings,
  target: string | null,
): Promise<HeldSettings> {
  const { target: _former, ...others } = settings;
  const response = await send(pathOf(id), {
    method: 'PUT',
    type: 'application/json',
    headers: tag === null ? { 'if-none-match': '*' } : { 'if-match': tag },
    body: JSON.stringify(target === null ? others : { ...others, target }),
  });
  return heldIn(response);
}

async function heldIn(response: Response): Promise<HeldSettings> {
  return { settings: await readJson<SettingsAnswer>(response), tag: response.headers.get('etag') };
}

/** Where the plan is that the list speaks of: to the same target, under the same conditions. */
export function planAddress(cluster: ClusterSummary, settings: SettingsAnswer): string {
  const usual = settings.target === undefined ? goalOf(cluster) : { to: settings.target, channel: '' };
  const asked = {
    to: usual.to,
    channel: [settings.channel ?? usual.channel].flat().join(','),
    accept_risk: settings.accept_risk?.join(',') ?? '',
    accept: settings.accept?.join(',') ?? '',
    policy: settings.policy ?? '',
    strategy: settings.strategy ?? '',
  };
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== '')).toString();
  return `/v1/clusters/${encodeURIComponent(cluster.id)}/upgrade-plan${query && `?${query}`}`;
}
