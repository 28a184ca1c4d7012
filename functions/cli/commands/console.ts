import { optionalEnv } from '../../runtime/env.ts';
import { CREDENTIAL_VARIABLES, credentialSource } from '../../outbound/credentials.ts';
import { readSignedFlags, SIGNED_HELP } from './flags.ts';
import { startSignedFront } from './console-proxy.ts';

async function main(): Promise<void> {
  const reading = readSignedFlags(process.argv.slice(2), optionalEnv(['AWS_REGION']));
  if (reading.kind === 'help') {
    process.stdout.write(SIGNED_HELP);
    return;
  }
  if (reading.kind === 'mistakes') {
    throw new Error(`${reading.mistakes.join('\ncairn: ')}\nsee npm run console -- --help`);
  }
  const credentials = credentialSource(optionalEnv(CREDENTIAL_VARIABLES));
  // Whoever has none is told so here, not by the first page.
  const { accessKeyId } = await credentials();
  const { flags } = reading;
  const { url } = await startSignedFront({ ...flags, credentials });
  process.stdout.write(
    `The console of ${flags.url} is at ${url}\n` +
      `Requests are signed with the key ${accessKeyId}, for ${flags.region}. Ctrl-C ends it.\n`,
  );
}

try {
  await main();
} catch (error) {
  process.stderr.write(`cairn: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
