import { afterAll, expect, it } from 'vitest';
import { openFixture } from '../../helpers/local/local-run.ts';

const fixture = openFixture();
afterAll(() => fixture.close());

it('npm start gets ready, answers and ends by Ctrl-C', async () => {
  const releases = fixture.releasesFile({
    release_sources: [
      {
        openshift_version: '4.21',
        upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['stable'] }],
      },
    ],
  });
  const flags = ['--upstream', 'demo', '--port', '0', '--data', fixture.dataFolder()];
  const run = fixture.start([...flags, '--releases', releases]);
  const { groups } = await run.printed(/^Cairn is ready at (?<url>http:\/\/127\.0\.0\.1:\d+)$/m);
  const answer = await fetch(`${groups!['url']}/v2/openshift-versions?only_latest=true`);
  expect(answer.status).toBe(200);
  expect(Object.keys((await answer.json()) as object)).not.toEqual([]);
  run.signalGroup('SIGINT');
  expect(await run.ended).toEqual({ code: 130, signal: null });
});
