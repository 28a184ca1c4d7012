import type { Route } from '../http/route.ts';
import { webhookRequest } from './schema.ts';

const shared = { lambda: 'manage', errors: 'problem' } as const satisfies Partial<Route>;

const get = {
  ...shared,
  method: 'GET',
  access: 'read',
  summary: 'Where messages go, when the fleet was last followed, and what could not be delivered',
  success: { status: 200, description: 'How people are told' },
  failures: [],
} as const satisfies Partial<Route>;

const putWebhook = {
  ...shared,
  method: 'PUT',
  access: 'admin',
  summary: 'Post messages to a webhook of Slack, Teams or a program of your own',
  body: webhookRequest,
  success: { status: 200, description: 'The webhook, without the secret part of its address' },
  failures: [400, 409, 413, 415],
} as const satisfies Partial<Route>;

const deleteWebhook = {
  ...shared,
  method: 'DELETE',
  access: 'admin',
  summary: 'Post no more messages',
  success: { status: 204, description: 'There is no webhook any more', mediaTypes: [] },
  failures: [404],
} as const satisfies Partial<Route>;

/** Every operation keeps its former path. */
export const notificationRoutes = [
  { ...get, id: 'getNotifications', path: '/v1/notifications' },
  { ...putWebhook, id: 'putNotificationsWebhook', path: '/v1/notifications/webhook' },
  { ...deleteWebhook, id: 'deleteNotificationsWebhook', path: '/v1/notifications/webhook' },
  { ...get, id: 'getNews', path: '/v1/news', isDeprecated: true },
  { ...putWebhook, id: 'putNewsWebhook', path: '/v1/news/webhook', isDeprecated: true },
  { ...deleteWebhook, id: 'deleteNewsWebhook', path: '/v1/news/webhook', isDeprecated: true },
] as const satisfies readonly Route[];
