import { basename } from 'node:path';
import { messageOf } from '@cairn/shared/text/quote';
import { EXIT } from '../runtime/exit.ts';
import { thisMachine } from './host.ts';
import { runCairn } from './program.ts';

/** `oc cairn` runs a program with the name `oc-cairn`. */
const called = /^(oc|kubectl)-cairn$/.exec(basename(process.argv[1] ?? '', '.mjs'));
const name = called ? `${called[1]} cairn` : 'cairn';

// A closed pipe, as by `head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ready);
  throw error;
});

try {
  process.exitCode = await runCairn(process.argv.slice(2), thisMachine(), name);
} catch (error) {
  process.stderr.write(
    `${name}: this is an error of the program: ${messageOf(error)}\n${(error as Error).stack ?? ''}\n`,
  );
  process.exitCode = EXIT.unknown;
}
