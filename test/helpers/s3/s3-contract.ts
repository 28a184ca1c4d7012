import { beforeAll, describe, expect, it } from 'vitest';
import { checkBucket } from '../../../infra/local/s3/self-check.ts';
import { describeListing } from './s3-contract-listing.ts';
import { describeObjects } from './s3-contract-objects.ts';
import { describeUploads } from './s3-contract-uploads.ts';
import { describeVersions } from './s3-contract-versions.ts';
import { createSession, type S3Connection } from './s3-session.ts';

/** S3 features that Cairn requires. Every server in tests or on a laptop passes this suite. */
export function describeS3Contract(name: string, connect: () => Promise<S3Connection>): void {
  describe(`S3 contract: ${name}`, () => {
    const session = createSession(connect);
    beforeAll(() => session.open());

    it('passes the self-check of the local start', async () => {
      expect(await checkBucket(session.client, session.bucket)).toEqual([]);
    });

    describeObjects(session);
    describeListing(session);
    describeUploads(session);
    describeVersions(session);
  });
}
