import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../infra/aws/bundling/options.ts';
import { readDeployment } from '../../../infra/aws/deployment.ts';
import { DEFAULT_SETTINGS, parseSettings } from '../../../infra/aws/settings.ts';

describe('settings', () => {
  it('all have a default', () => {
    expect(parseSettings({})).toEqual({ ok: true, settings: DEFAULT_SETTINGS });
    expect(DEFAULT_SETTINGS).toEqual({
      access: { publicReleaseData: false },
      syncIntervalMinutes: 10,
      watchIntervalMinutes: 15,
      retirementGraceDays: 14,
      historyLimit: 100,
      logRetentionDays: 30,
      graphUrl: 'https://api.openshift.com/api/upgrades_info/v1/graph',
      payloadHosts: ['quay.io'],
      registryBuckets: [],
    });
  });

  it('are taken as they are given', () => {
    const settings = {
      access: {
        publicReleaseData: true,
        jwt: { issuer: 'https://login.example.com/realm', audience: ['cairn', 'console'] },
      },
      syncIntervalMinutes: 5,
      watchIntervalMinutes: 1440,
      retirementGraceDays: 365,
      historyLimit: 8,
      logRetentionDays: 90,
      graphUrl: 'https://updates.example.com/api/upgrades_info/v1/graph',
      payloadHosts: ['quay.io', 'mirror.example.com'],
      registryBuckets: [
        { bucket: 'registry.example.com', prefix: '' },
        { bucket: 'registry.example.com', prefix: 'prod/eu' },
      ],
    };
    expect(parseSettings(settings)).toEqual({ ok: true, settings });
  });

  it('take the root directory of a registry as the registry has it', () => {
    const reading = parseSettings({
      registryBuckets: [{ bucket: 'abc' }, { bucket: 'abc', prefix: '/a/b/' }],
    });
    expect(reading).toMatchObject({
      ok: true,
      settings: {
        registryBuckets: [
          { bucket: 'abc', prefix: '' },
          { bucket: 'abc', prefix: 'a/b' },
        ],
      },
    });
  });

  it.each([
    ['not an object', [], ''],
    ['null', null, ''],
    ['an unknown name', { colour: 'red' }, '/colour'],
    ['an unknown name that pollutes', JSON.parse('{"__proto__": {"syncIntervalMinutes": 1}}'), '/__proto__'],
    ['access as text', { access: 'public' }, '/access'],
    ['a text for a switch', { access: { publicReleaseData: 'yes' } }, '/access/publicReleaseData'],
    ['an unknown name inside', { access: { public: true } }, '/access/public'],
    ['no audience', { access: { jwt: { issuer: 'https://a.example.com' } } }, '/access/jwt/audience'],
    [
      'an empty audience',
      { access: { jwt: { issuer: 'https://a.example.com', audience: [] } } },
      '/access/jwt/audience',
    ],
    [
      'a blank audience',
      { access: { jwt: { issuer: 'https://a.example.com', audience: ['a', ' '] } } },
      '/access/jwt/audience/1',
    ],
    [
      'an issuer without https',
      { access: { jwt: { issuer: 'a.example.com', audience: ['a'] } } },
      '/access/jwt/issuer',
    ],
    ['an interval below the least', { syncIntervalMinutes: 4 }, '/syncIntervalMinutes'],
    ['an interval above the most', { syncIntervalMinutes: 1441 }, '/syncIntervalMinutes'],
    ['a part of a minute', { syncIntervalMinutes: 10.5 }, '/syncIntervalMinutes'],
    ['a number as text', { syncIntervalMinutes: '10' }, '/syncIntervalMinutes'],
    ['a watch that never rests', { watchIntervalMinutes: 4 }, '/watchIntervalMinutes'],
    ['a history too short for what must stay', { historyLimit: 7 }, '/historyLimit'],
    ['a history without end', { historyLimit: 1001 }, '/historyLimit'],
    ['no grace at all', { retirementGraceDays: 0 }, '/retirementGraceDays'],
    ['a retention CloudWatch does not know', { logRetentionDays: 31 }, '/logRetentionDays'],
    ['a retention for ever', { logRetentionDays: 9999 }, '/logRetentionDays'],
    ['http', { graphUrl: 'http://updates.example.com/graph' }, '/graphUrl'],
    ['an address', { graphUrl: 'https://10.0.0.1/graph' }, '/graphUrl'],
    ['an address of six', { graphUrl: 'https://[fd00::1]/graph' }, '/graphUrl'],
    ['a password', { graphUrl: 'https://me:secret@updates.example.com/graph' }, '/graphUrl'],
    ['a port', { graphUrl: 'https://updates.example.com:8443/graph' }, '/graphUrl'],
    ['a query', { graphUrl: 'https://updates.example.com/graph?channel=a' }, '/graphUrl'],
    ['no host', { payloadHosts: [] }, '/payloadHosts'],
    ['hosts as text', { payloadHosts: 'quay.io' }, '/payloadHosts'],
    ['two hosts in one', { payloadHosts: ['quay.io,evil.example.com'] }, '/payloadHosts/0'],
    ['a URL for a host', { payloadHosts: ['https://quay.io'] }, '/payloadHosts/0'],
    ['buckets as text', { registryBuckets: 'registry' }, '/registryBuckets'],
    ['a bucket as text', { registryBuckets: ['registry'] }, '/registryBuckets/0'],
    ['a folder without a bucket', { registryBuckets: [{ prefix: 'a' }] }, '/registryBuckets/0/bucket'],
    [
      'an unknown name of a bucket',
      { registryBuckets: [{ bucket: 'abc', name: 'a' }] },
      '/registryBuckets/0/name',
    ],
    ['a bucket too short', { registryBuckets: [{ bucket: 'ab' }] }, '/registryBuckets/0/bucket'],
    ['a bucket with capitals', { registryBuckets: [{ bucket: 'Registry' }] }, '/registryBuckets/0/bucket'],
    ['all buckets', { registryBuckets: [{ bucket: 'registry*' }] }, '/registryBuckets/0/bucket'],
    ['a bucket by ARN', { registryBuckets: [{ bucket: 'arn:aws:s3:::abc' }] }, '/registryBuckets/0/bucket'],
    ['an address for a bucket', { registryBuckets: [{ bucket: '10.0.0.1' }] }, '/registryBuckets/0/bucket'],
    ['all folders', { registryBuckets: [{ bucket: 'abc', prefix: '*' }] }, '/registryBuckets/0/prefix'],
    [
      'a folder with a variable of a policy',
      { registryBuckets: [{ bucket: 'abc', prefix: '${aws:username}' }] },
      '/registryBuckets/0/prefix',
    ],
    [
      'a folder that is no text',
      { registryBuckets: [{ bucket: 'abc', prefix: 1 }] },
      '/registryBuckets/0/prefix',
    ],
    ['empty folders', { registryBuckets: [{ bucket: 'abc', prefix: 'a//b' }] }, '/registryBuckets/0/prefix'],
    [
      'a place twice',
      {
        registryBuckets: [
          { bucket: 'abc', prefix: '/a' },
          { bucket: 'abc', prefix: 'a' },
        ],
      },
      '/registryBuckets/1',
    ],
    [
      'too many buckets',
      { registryBuckets: Array.from({ length: 21 }, (_, index) => ({ bucket: `bucket-${index}` })) },
      '/registryBuckets',
    ],
  ])('refuse %s', (_what, input, pointer) => {
    const reading = parseSettings(input);
    expect(reading.ok ? [] : reading.mistakes.map((mistake) => mistake.pointer)).toEqual([pointer]);
  });
});

describe('a deployment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-settings-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const releases = join(PROJECT_ROOT, 'infra/releases.json');
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  it('is made from the shipped releases without any settings', () => {
    expect(readDeployment({ releases })).toEqual({
      ok: true,
      deployment: { settings: DEFAULT_SETTINGS, releasesFile: releases },
    });
  });

  it('takes the settings of its file', () => {
    const settings = write('good.json', '{"syncIntervalMinutes": 20}');
    expect(readDeployment({ releases, settings })).toMatchObject({
      ok: true,
      deployment: { settings: { syncIntervalMinutes: 20, retirementGraceDays: 14 } },
    });
  });

  it('tells every mistake of both files at once, with the name that was meant', () => {
    const settings = write('bad.json', '{"syncIntervalMinute": 20, "access": {"publicReleaseDate": true}}');
    const badReleases = write('releases.json', '{"release_source": [], "confirm_removal": ["4"]}');
    const reading = readDeployment({ releases: badReleases, settings });
    expect(reading.ok ? '' : reading.message.split('\n')).toEqual([
      'the configuration cannot be deployed:',
      expect.stringContaining(`${settings} /syncIntervalMinute: `),
      expect.stringMatching(/\/access\/publicReleaseDate: .*"publicReleaseData"/),
      expect.stringMatching(/\/release_source: .*"release_sources"/),
      expect.stringContaining(`${badReleases} /confirm_removal/0: `),
    ]);
    expect(reading.ok ? '' : reading.message).toContain('did you mean "syncIntervalMinutes"');
  });

  it.each([
    ['is not there', () => join(folder, 'absent.json'), 'cannot be read'],
    ['is not JSON', () => write('broken.json', '{\n  "access": {},}'), 'line 2, column 16'],
    ['gives a name twice', () => write('twice.json', '{"access": {}, "access": {}}'), 'given twice'],
  ])('is refused when the settings file %s', (_what, file, expected) => {
    const settings = file();
    const reading = readDeployment({ releases, settings });
    expect(reading.ok ? '' : reading.message).toContain(settings);
    expect(reading.ok ? '' : reading.message).toContain(expected);
  });

  it('is refused without a releases file', () => {
    const reading = readDeployment({ releases: join(folder, 'absent.json') });
    expect(reading.ok ? '' : reading.message).toContain('cannot be read');
  });
});
