import { CreateBucketCommand, PutBucketVersioningCommand, type S3Client } from '@aws-sdk/client-s3';
import { takeSpec } from '@cairn/shared/prune/images/pruner/record';
import { readPrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import { changePruner } from '../../../../functions/pruners/store.ts';
import type { Table } from '../../../../functions/store/table.ts';

/** A pruner that is there from now on, and the new bucket, which keeps versions, of the registry that it looks after. */
export async function preparePruner(
  { direct, table }: { readonly direct: S3Client; readonly table: Table },
  name: string,
  target: { readonly bucket: string; readonly prefix: string },
  policy: object,
): Promise<void> {
  const { bucket: Bucket } = target;
  await direct.send(new CreateBucketCommand({ Bucket }));
  const VersioningConfiguration = { Status: 'Enabled' } as const;
  await direct.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
  const reading = readPrunerSpec({ dryRun: false, ...policy }, { name, targets: [target] });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  const now = new Date(Date.now()).toISOString();
  await changePruner(table, name, () => takeSpec(null, reading.spec, { now, uid: `uid of ${name}` }));
}
