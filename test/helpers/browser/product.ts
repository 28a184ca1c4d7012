import type { Fixture } from '../local/local-run.ts';

const READY = /^Cairn is ready at (?<url>http:\/\/127\.0\.0\.1:\d+)$/m;

/** The real thing on demo channels, in a process of its own that ends with the fixture; tells where it is. */
export async function startProduct(fixture: Fixture, data = fixture.dataFolder()): Promise<string> {
  const run = fixture.start(['--upstream', 'demo', '--port', '0', '--data', data]);
  return (await run.printed(READY)).groups!['url']!;
}
