import type { Workshop } from '../local/local-run.ts';

const READY = /^Cairn is ready at (?<url>http:\/\/127\.0\.0\.1:\d+)$/m;

/** Starts `npm start` on demo channels in its own process. Returns its URL. */
export async function startProduct(workshop: Workshop, data = workshop.dataFolder()): Promise<string> {
  const run = workshop.start(['--upstream', 'demo', '--port', '0', '--data', data]);
  return (await run.printed(READY)).groups!['url']!;
}
