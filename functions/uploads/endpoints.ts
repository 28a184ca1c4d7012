import { MAX_UPLOAD_BYTES } from '../http/body.ts';
import { endpoints } from '../http/endpoint.ts';
import type { OpenUploads } from './store.ts';

const VALID_SECONDS = 15 * 60;

/** `POST /v1/uploads` */
export function uploadEndpoints(openUploads: OpenUploads, clock: () => number) {
  return endpoints({
    createUpload: async () => {
      const now = clock();
      const { id, url } = await (await openUploads()).create(now, VALID_SECONDS);
      return {
        data: {
          upload: id,
          url,
          method: 'PUT',
          expiresAt: new Date(now + VALID_SECONDS * 1000).toISOString(),
          maxBytes: MAX_UPLOAD_BYTES,
        },
      };
    },
  });
}
