import type { RowMessage } from './row.ts';
import { ROWS } from './rows.ts';

/** Runs one row in a process of its own, so that none finds code compiled or a heap grown by another. */
const [name, folder] = process.argv.slice(2);

// Whoever asked is gone: nobody waits for the answer.
process.once('disconnect', () => process.exit(1));

async function runRow(): Promise<RowMessage> {
  const row = ROWS.find((candidate) => candidate.name === name);
  if (row === undefined || folder === undefined) return { error: `there is no row "${name}"` };
  try {
    return { findings: await row.run(folder) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

const message = await runRow();
process.send?.(message, () => process.exit());
