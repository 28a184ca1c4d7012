import type { Route } from '../http/route.ts';
import { channelChangesQuery, channelsQuery } from './schema.ts';

const releaseData = {
  method: 'GET',
  lambda: 'query',
  access: 'public',
  errors: 'problem',
} as const satisfies Partial<Route>;

export const channelRoutes = [
  {
    ...releaseData,
    id: 'listChannels',
    path: '/v1/channels',
    summary: 'The followed channels, by minor',
    query: channelsQuery,
    success: { status: 200, description: 'A page of channels' },
    failures: [400, 503],
  },
  {
    ...releaseData,
    id: 'getChannelIndex',
    path: '/v1/channel-index/{arch}',
    summary: 'Every followed channel of an architecture, and every version with the channels that hold it',
    success: { status: 200, description: 'The index, with its entity tag' },
    failures: [400, 503],
  },
  {
    ...releaseData,
    id: 'getChannel',
    path: '/v1/channels/{channel}/{arch}',
    summary: 'A channel on one architecture: what it holds, how fresh it is, its risks',
    success: { status: 200, description: 'The channel' },
    failures: [400, 404, 503],
  },
  {
    ...releaseData,
    id: 'listChannelChanges',
    path: '/v1/channels/{channel}/{arch}/changes',
    summary: 'What changed in a channel, newest first',
    query: channelChangesQuery,
    success: { status: 200, description: 'A page of changes' },
    failures: [400, 404, 503],
  },
] as const satisfies readonly Route[];

export type ChannelRouteId = (typeof channelRoutes)[number]['id'];
