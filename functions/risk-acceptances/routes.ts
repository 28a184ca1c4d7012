import type { Route } from '../http/route.ts';
import { riskAcceptanceRequest, riskAcceptancesQuery } from './schema.ts';

const acceptances = { lambda: 'manage', errors: 'problem' } as const satisfies Partial<Route>;
const one = '/v1/risk-acceptances/{id}';
const IF_MATCH = 'Change it only while it has this entity tag';

export const riskAcceptanceRoutes = [
  {
    ...acceptances,
    id: 'listRiskAcceptances',
    method: 'GET',
    path: '/v1/risk-acceptances',
    access: 'read',
    summary: 'Accepted risks, by ID',
    query: riskAcceptancesQuery,
    lists: ['state'],
    success: { status: 200, description: 'A page of acceptances' },
    failures: [400],
  },
  {
    ...acceptances,
    id: 'getRiskAcceptance',
    method: 'GET',
    path: one,
    access: 'read',
    summary: 'An accepted risk, with its changes',
    success: { status: 200, description: 'The acceptance, with its entity tag' },
    failures: [400, 404],
  },
  {
    ...acceptances,
    id: 'putRiskAcceptance',
    method: 'PUT',
    path: one,
    access: 'write',
    summary: 'Accept a risk for some clusters or all, until a given time',
    body: riskAcceptanceRequest,
    headers: { 'If-Match': IF_MATCH, 'If-None-Match': '`*`: only if there is no such acceptance yet' },
    success: {
      status: 200,
      description: 'The acceptance as it is now, with its entity tag',
      created: 'The acceptance is new',
    },
    failures: [400, 409, 412, 413, 415],
  },
  {
    ...acceptances,
    id: 'deleteRiskAcceptance',
    method: 'DELETE',
    path: one,
    access: 'write',
    summary: 'No longer accept a risk',
    headers: { 'If-Match': IF_MATCH },
    success: { status: 204, description: 'It no longer counts', mediaTypes: [] },
    failures: [400, 404, 409, 412],
  },
] as const satisfies readonly Route[];
