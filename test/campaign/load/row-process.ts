import type { LoadContext, LoadMessage } from './row.ts';
import { LOAD_ROWS } from './rows.ts';

/** One row in a process of its own, whose memory is that of the row alone. */
const [name, context] = process.argv.slice(2);

// Whoever asked is gone: nobody waits for the answer.
process.once('disconnect', () => process.exit(1));

async function runRow(): Promise<LoadMessage> {
  const row = LOAD_ROWS.find((candidate) => candidate.name === name);
  if (!row || context === undefined) return { error: `there is no row "${name}"` };
  try {
    const opened = await row.open();
    return { findings: await opened.run(JSON.parse(context) as LoadContext) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

const message = await runRow();
process.send?.(message, () => process.exit());
