import type { Route } from '../http/route.ts';

/** Uploads for documents that do not fit into a request. */
export const uploadRoutes = [
  {
    id: 'createUpload',
    method: 'POST',
    path: '/v1/uploads',
    lambda: 'manage',
    access: 'write',
    errors: 'problem',
    summary: 'An address to PUT documents to that are too large for a request',
    isForUploads: true,
    success: {
      status: 201,
      description: 'The address, and the id that then stands in the place of the documents',
    },
    failures: [],
  },
] as const satisfies readonly Route[];
