import type { S3Client } from '@aws-sdk/client-s3';
import type { PruneReport } from '../../../../functions/prune-runs/finish.ts';
import { RUN_FILE, RunFiles } from '../../../../functions/pruners/files.ts';
import { OWN_BUCKET } from '../harness/stage.ts';

/** Whether it is the file of a plan, and of a listing, whoever wrote it. */
export const isPlan = (key: string) => /\/plan-\d+$/.test(key);
export const isInventory = (key: string) => /\/inventory-\d+$/.test(key);

/** What the runs of a pruner left, past the proxy. */
export function runFilesOf(pruner: string, direct: S3Client): RunFiles {
  return new RunFiles({ client: direct, name: OWN_BUCKET }, pruner);
}

export async function readReport(files: RunFiles, run: string): Promise<PruneReport | null> {
  const bytes = await files.read(RUN_FILE.report(run));
  return bytes === null ? null : (JSON.parse(new TextDecoder().decode(bytes)) as PruneReport);
}
