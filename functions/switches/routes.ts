import type { Route } from '../http/route.ts';
import { switchRequest } from './schema.ts';

export const switchRoutes = [
  {
    id: 'listSwitches',
    method: 'GET',
    path: '/v1/switches',
    lambda: 'manage',
    access: 'read',
    errors: 'problem',
    summary: 'What is stopped, why, since when and by whom',
    success: { status: 200, description: 'Every switch' },
    failures: [],
  },
  {
    id: 'putSwitch',
    method: 'PUT',
    path: '/v1/switches/{name}',
    lambda: 'manage',
    access: 'admin',
    errors: 'problem',
    summary: 'Stop sync, prune, news or write, or let it go on; takes effect within a minute',
    body: switchRequest,
    success: { status: 200, description: 'The switch as it is now' },
    failures: [400, 409, 413, 415],
  },
] as const satisfies readonly Route[];
