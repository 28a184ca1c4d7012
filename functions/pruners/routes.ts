import type { Route } from '../http/route.ts';
import { imagePruner, imagePrunersQuery, inUseReport, inUseReportQuery } from './schema.ts';

const pruners = { lambda: 'manage', errors: 'problem' } as const satisfies Partial<Route>;
const one = '/v1/image-pruners/{name}';
const IF_MATCH = 'Change it only while its spec is that of this entity tag';

export const imagePrunerRoutes = [
  {
    ...pruners,
    id: 'listImagePruners',
    method: 'GET',
    path: '/v1/image-pruners',
    access: 'read',
    summary: 'The pruners of registry storage, by name',
    query: imagePrunersQuery,
    success: { status: 200, description: 'A page of pruners' },
    failures: [400],
  },
  {
    ...pruners,
    id: 'getImagePruner',
    method: 'GET',
    path: one,
    access: 'read',
    summary: 'A pruner: what it shall do, when it runs next, how it stands',
    success: { status: 200, description: 'The pruner, with its entity tag' },
    failures: [400, 404],
  },
  {
    ...pruners,
    id: 'putImagePruner',
    method: 'PUT',
    path: one,
    access: 'write',
    summary: 'Make a pruner or replace its spec; what is left out gets its default',
    resource: imagePruner,
    headers: { 'If-Match': IF_MATCH, 'If-None-Match': '`*`: only if there is no such pruner yet' },
    success: {
      status: 200,
      description:
        'The pruner as it is now, with its entity tag; its condition Scheduled tells whether its schedule is in force',
      created: 'The pruner is new',
    },
    failures: [400, 409, 412, 413, 415],
  },
  {
    ...pruners,
    id: 'deleteImagePruner',
    method: 'DELETE',
    path: one,
    access: 'write',
    summary: 'Remove a pruner and its schedule',
    headers: { 'If-Match': IF_MATCH },
    success: { status: 204, description: 'It is removed', mediaTypes: [] },
    failures: [400, 404, 409, 412],
  },
] as const satisfies readonly Route[];

export const imagesInUseRoutes = [
  {
    ...pruners,
    id: 'putImagesInUse',
    method: 'PUT',
    path: `${one}/in-use`,
    access: 'write',
    summary:
      'Tell which images are in use, by what `oc get … -o json` prints; it takes the place of the report before',
    documents: inUseReportQuery,
    documentsBody: inUseReport,
    insteadOfDocuments: 'unchanged',
    success: { status: 200, description: 'What was found in use' },
    failures: [400, 404, 409, 412, 413, 415],
  },
] as const satisfies readonly Route[];
