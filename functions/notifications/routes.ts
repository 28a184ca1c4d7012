import type { Route } from '../http/route.ts';
import { webhookRequest } from './schema.ts';

const news = { lambda: 'manage', errors: 'problem' } as const satisfies Partial<Route>;

/** How people are told what changed for clusters and pruners. */
export const newsRoutes = [
  {
    ...news,
    id: 'getNews',
    method: 'GET',
    path: '/v1/news',
    access: 'read',
    summary: 'Where messages go, when the fleet was last followed, and what could not be delivered',
    success: { status: 200, description: 'How people are told' },
    failures: [],
  },
  {
    ...news,
    id: 'putNewsWebhook',
    method: 'PUT',
    path: '/v1/news/webhook',
    access: 'admin',
    summary: 'Post messages to a webhook of Slack, Teams or a program of your own',
    body: webhookRequest,
    success: { status: 200, description: 'The webhook, without the secret part of its address' },
    failures: [400, 409, 413, 415],
  },
  {
    ...news,
    id: 'deleteNewsWebhook',
    method: 'DELETE',
    path: '/v1/news/webhook',
    access: 'admin',
    summary: 'Post no more messages',
    success: { status: 204, description: 'There is no webhook any more', mediaTypes: [] },
    failures: [404],
  },
] as const satisfies readonly Route[];
