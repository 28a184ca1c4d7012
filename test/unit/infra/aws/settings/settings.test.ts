import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../../../infra/aws/bundling/options.ts';
import { readDeployment } from '../../../../../infra/aws/deployment.ts';
import { parseSettings } from '../../../../../infra/aws/settings/read-settings.ts';
import { DEFAULT_SETTINGS } from '../../../../../infra/aws/settings/settings.ts';

const CERTIFICATE = 'arn:aws:acm:eu-west-1:123456789012:certificate/12345678-1234-1234-1234-123456789012';
const ROLE = 'arn:aws-cn:iam::123456789012:role/registries/cairn-pruner';
const ISSUER = { issuer: 'https://a.example.com', audience: ['a'] };

const domain = (changes: object) => ({
  domain: { name: 'cairn.example.com', certificateArn: CERTIFICATE, ...changes },
});
const signIn = (fields: object) => ({ access: { jwt: { ...ISSUER, signIn: fields } } });
const tagsNumbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`tag-${index}`, 'a']));

describe('settings', () => {
  it('all have a default', () => {
    expect(parseSettings({})).toEqual({ ok: true, settings: DEFAULT_SETTINGS });
    expect(DEFAULT_SETTINGS).toEqual({
      stage: null,
      access: { publicReleaseData: 'none' },
      alarms: { email: [] },
      news: { email: [], windowHours: 24, digestAbove: 10 },
      updates: { stalledAfterMinutes: { operators: 30, controlPlaneNodes: 40, workers: 60 } },
      domain: null,
      cloudFront: false,
      originShieldRegion: null,
      permissionsBoundary: null,
      tags: {},
      restoredTable: null,
      syncIntervalMinutes: 10,
      watchIntervalMinutes: 15,
      fleetIntervalMinutes: 5,
      retirementGraceDays: 14,
      eusTerms: 2,
      historyLimit: 100,
      logRetentionDays: 30,
      graphUrl: 'https://api.openshift.com/api/upgrades_info/v1/graph',
      payloadHosts: ['quay.io'],
      registryBuckets: [],
    });
  });

  it.each([
    ['watchIntervalMinutes', 'housekeepingIntervalMinutes', 30, 60],
    ['news', 'notifications', { windowHours: 2 }, { windowHours: 3 }],
  ])('%s may be called %s', (former, added, value, another) => {
    const expected = parseSettings({ [former]: value });
    expect(expected).toMatchObject({ ok: true, settings: { [former]: value } });
    expect(parseSettings({ [added]: value })).toEqual(expected);
    expect(parseSettings({ [former]: value, [added]: value })).toEqual(expected);
    expect(parseSettings({ [former]: value, [added]: another })).toMatchObject({
      ok: false,
      mistakes: [
        {
          pointer: `/${added}`,
          detail: `${added} and ${former} are the same setting, but their values differ`,
          accepted: `only ${added}`,
        },
      ],
    });
  });

  it('are taken as they are given', () => {
    const settings = {
      stage: 'eu-1',
      updates: { stalledAfterMinutes: { operators: 10, controlPlaneNodes: 20, workers: 1440 } },
      access: {
        publicReleaseData: 'graph',
        jwt: {
          issuer: 'https://login.example.com/realm',
          audience: ['cairn', 'console'],
          signIn: {
            clientId: 'console',
            scopes: ['openid', 'profile'],
            authorizationEndpoint: 'https://login.example.com/authorize',
            tokenEndpoint: 'https://login.example.com/token',
          },
        },
      },
      alarms: { email: ['ops@example.com', 'On.Call+cairn@Mail.Example.com'] },
      news: { email: ['fleet@example.com'], windowHours: 720, digestAbove: 1000 },
      domain: { name: 'cairn.example.com', certificateArn: CERTIFICATE, hostedZoneId: 'Z0123ABC' },
      cloudFront: true,
      originShieldRegion: 'eu-central-1',
      permissionsBoundary: 'arn:aws:iam::123456789012:policy/teams/boundary',
      tags: { team: 'platform', 'cost:centre': '42 / Zürich', empty: '' },
      restoredTable: 'Cairn-restored_2026.11',
      syncIntervalMinutes: 5,
      watchIntervalMinutes: 1440,
      fleetIntervalMinutes: 1,
      retirementGraceDays: 365,
      eusTerms: 0,
      historyLimit: 8,
      logRetentionDays: 90,
      graphUrl: 'https://updates.example.com/api/upgrades_info/v1/graph',
      payloadHosts: ['quay.io', 'mirror.example.com'],
      registryBuckets: [
        { bucket: 'registry.example.com', prefix: '' },
        { bucket: 'registry.example.com', prefix: 'prod/eu', roleArn: ROLE },
      ],
    };
    expect(parseSettings(settings)).toEqual({ ok: true, settings });
  });

  it.each([
    [true, 'all'],
    [false, 'none'],
    ['none', 'none'],
    ['graph', 'graph'],
    ['all', 'all'],
  ])('open release data by %j', (publicReleaseData, expected) => {
    const reading = parseSettings({ access: { publicReleaseData } });
    expect(reading).toMatchObject({ ok: true, settings: { access: { publicReleaseData: expected } } });
  });

  it('ask the issuer for openid when nothing else is said', () => {
    expect(parseSettings(signIn({ clientId: 'console' }))).toMatchObject({
      ok: true,
      settings: { access: { jwt: { ...ISSUER, signIn: { clientId: 'console', scopes: ['openid'] } } } },
    });
  });

  it.each(['graph', 'all', true])('put CloudFront before what %j opens', (publicReleaseData) => {
    expect(parseSettings({ cloudFront: true, access: { publicReleaseData } })).toMatchObject({ ok: true });
  });

  it('say what CloudFront needs', () => {
    expect(parseSettings({ cloudFront: true })).toMatchObject({
      mistakes: [{ accepted: expect.stringContaining('access.publicReleaseData') }],
    });
  });

  it('take as many tags and addresses as there may be', () => {
    const email = Array.from({ length: 10 }, (_, index) => `ops-${index}@example.com`);
    expect(parseSettings({ tags: tagsNumbered(40), alarms: { email } })).toMatchObject({ ok: true });
    expect(parseSettings({ tags: { ['k'.repeat(128)]: 'v'.repeat(256) } })).toMatchObject({ ok: true });
  });

  it('have a default for each part of the notifications', () => {
    expect(parseSettings({ news: {} })).toEqual({ ok: true, settings: DEFAULT_SETTINGS });
    const reading = parseSettings({ news: { digestAbove: 1 } });
    expect(reading.ok && reading.settings.news).toEqual({ email: [], windowHours: 24, digestAbove: 1 });
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
    ['an unknown choice', { access: { publicReleaseData: 'yes' } }, '/access/publicReleaseData'],
    ['a number for a choice', { access: { publicReleaseData: 1 } }, '/access/publicReleaseData'],
    [
      'an unknown choice once, whatever else goes by it',
      { access: { publicReleaseData: 'grahp' }, cloudFront: true },
      '/access/publicReleaseData',
    ],
    ['CloudFront before nothing', { access: { publicReleaseData: false }, cloudFront: true }, '/cloudFront'],
    ['a text for a switch', { cloudFront: 'true' }, '/cloudFront'],
    ['a shield without CloudFront', { originShieldRegion: 'eu-central-1' }, '/originShieldRegion'],
    [
      'a shield in no region',
      { access: { publicReleaseData: 'graph' }, cloudFront: true, originShieldRegion: 'Frankfurt' },
      '/originShieldRegion',
    ],
    ['a sign-in without a client', signIn({}), '/access/jwt/signIn/clientId'],
    ['an empty client', signIn({ clientId: '' }), '/access/jwt/signIn/clientId'],
    ['no scope', signIn({ clientId: 'a', scopes: [] }), '/access/jwt/signIn/scopes'],
    ['two scopes in one', signIn({ clientId: 'a', scopes: ['openid email'] }), '/access/jwt/signIn/scopes/0'],
    ['a scope twice', signIn({ clientId: 'a', scopes: ['a', 'a'] }), '/access/jwt/signIn/scopes/1'],
    [
      'one endpoint without the other',
      signIn({ clientId: 'a', tokenEndpoint: 'https://a.example.com/token' }),
      '/access/jwt/signIn',
    ],
    [
      'an endpoint without https',
      signIn({
        clientId: 'a',
        authorizationEndpoint: 'http://a.example.com/authorize',
        tokenEndpoint: 'https://a.example.com/token',
      }),
      '/access/jwt/signIn/authorizationEndpoint',
    ],
    [
      'a secret of the client',
      signIn({ clientId: 'a', clientSecret: 'b' }),
      '/access/jwt/signIn/clientSecret',
    ],
    ['a stage with capitals', { stage: 'Test' }, '/stage'],
    ['a stage that begins with a digit', { stage: '1' }, '/stage'],
    ['a stage that ends in a dash', { stage: 'test-' }, '/stage'],
    ['a stage too long', { stage: 'a'.repeat(21) }, '/stage'],
    ['an empty stage', { stage: '' }, '/stage'],
    ['alarms without an address', { alarms: {} }, '/alarms/email'],
    ['an address as text', { alarms: { email: 'ops@example.com' } }, '/alarms/email'],
    ['an address without a host', { alarms: { email: ['ops@localhost'] } }, '/alarms/email/0'],
    ['an address without a box', { alarms: { email: ['example.com'] } }, '/alarms/email/0'],
    ['an address with a name', { alarms: { email: ['Ops <ops@example.com>'] } }, '/alarms/email/0'],
    ['an address twice', { alarms: { email: ['a@example.com', 'a@example.com'] } }, '/alarms/email/1'],
    [
      'too many addresses',
      { alarms: { email: Array.from({ length: 11 }, (_, index) => `ops-${index}@example.com`) } },
      '/alarms/email',
    ],
    ['news as a text', { news: 'ops@example.com' }, '/news'],
    ['an unknown part of the news', { news: { webhook: 'https://chat.example.com' } }, '/news/webhook'],
    ['an address for news without a host', { news: { email: ['ops'] } }, '/news/email/0'],
    ['an address for news twice', { news: { email: ['a@example.com', 'a@example.com'] } }, '/news/email/1'],
    ['no window for news', { news: { windowHours: 0 } }, '/news/windowHours'],
    ['a window of more than a month', { news: { windowHours: 721 } }, '/news/windowHours'],
    ['a part of an hour', { news: { windowHours: 0.5 } }, '/news/windowHours'],
    ['a digest of everything', { news: { digestAbove: 0 } }, '/news/digestAbove'],
    ['a digest of nothing', { news: { digestAbove: 1001 } }, '/news/digestAbove'],
    ['a number of messages as text', { news: { digestAbove: '10' } }, '/news/digestAbove'],
    ['a domain without a certificate', { domain: { name: 'cairn.example.com' } }, '/domain/certificateArn'],
    ['a URL for a domain', domain({ name: 'https://cairn.example.com' }), '/domain/name'],
    ['all names of a domain', domain({ name: '*.example.com' }), '/domain/name'],
    ['a certificate that is none', domain({ certificateArn: ROLE }), '/domain/certificateArn'],
    ['a zone by name', domain({ hostedZoneId: 'example.com' }), '/domain/hostedZoneId'],
    ['a boundary by name', { permissionsBoundary: 'boundary' }, '/permissionsBoundary'],
    ['a role for a boundary', { permissionsBoundary: ROLE }, '/permissionsBoundary'],
    [
      'a table by ARN',
      { restoredTable: 'arn:aws:dynamodb:eu-west-1:123456789012:table/a' },
      '/restoredTable',
    ],
    ['a table too short', { restoredTable: 'ab' }, '/restoredTable'],
    ['tags in a list', { tags: [] }, '/tags'],
    ['a number in a tag', { tags: { a: 1 } }, '/tags/a'],
    ['a tag of AWS', { tags: { 'AWS:a': 'b' } }, '/tags/AWS:a'],
    ['an empty key', { tags: { '': 'a' } }, '/tags/'],
    ['a key too long', { tags: { ['a'.repeat(129)]: 'a' } }, `/tags/${'a'.repeat(129)}`],
    ['a value too long', { tags: { a: 'a'.repeat(257) } }, '/tags/a'],
    ['a character AWS does not take', { tags: { a: 'a;b' } }, '/tags/a'],
    ['too many tags', { tags: tagsNumbered(41) }, '/tags'],
    ['an unknown name inside', { access: { public: true } }, '/access/public'],
    ['no audience', { access: { jwt: { issuer: ISSUER.issuer } } }, '/access/jwt/audience'],
    ['an empty audience', { access: { jwt: { ...ISSUER, audience: [] } } }, '/access/jwt/audience'],
    ['a blank audience', { access: { jwt: { ...ISSUER, audience: ['a', ' '] } } }, '/access/jwt/audience/1'],
    [
      'an issuer without https',
      { access: { jwt: { ...ISSUER, issuer: 'a.example.com' } } },
      '/access/jwt/issuer',
    ],
    ['an interval below the least', { syncIntervalMinutes: 4 }, '/syncIntervalMinutes'],
    ['an interval above the most', { syncIntervalMinutes: 1441 }, '/syncIntervalMinutes'],
    ['a part of a minute', { syncIntervalMinutes: 10.5 }, '/syncIntervalMinutes'],
    ['a number as text', { syncIntervalMinutes: '10' }, '/syncIntervalMinutes'],
    ['a watch that never rests', { watchIntervalMinutes: 4 }, '/watchIntervalMinutes'],
    ['a look at the fleet without a pause', { fleetIntervalMinutes: 0 }, '/fleetIntervalMinutes'],
    ['a look at the fleet every other day', { fleetIntervalMinutes: 2880 }, '/fleetIntervalMinutes'],
    ['a history too short for what must stay', { historyLimit: 7 }, '/historyLimit'],
    ['a history without end', { historyLimit: 1001 }, '/historyLimit'],
    ['no grace at all', { retirementGraceDays: 0 }, '/retirementGraceDays'],
    ['a term that does not exist', { eusTerms: 4 }, '/eusTerms'],
    ['terms as text', { eusTerms: '2' }, '/eusTerms'],
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
    [
      'a place twice',
      { registryBuckets: ['/a', 'a'].map((prefix) => ({ bucket: 'abc', prefix })) },
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

  it.each([
    ['a folder without a bucket', { prefix: 'a' }, 'bucket'],
    ['an unknown name', { bucket: 'abc', name: 'a' }, 'name'],
    ['a name too short', { bucket: 'ab' }, 'bucket'],
    ['capitals', { bucket: 'Registry' }, 'bucket'],
    ['all buckets', { bucket: 'registry*' }, 'bucket'],
    ['an ARN', { bucket: 'arn:aws:s3:::abc' }, 'bucket'],
    ['an address', { bucket: '10.0.0.1' }, 'bucket'],
    ['all folders', { bucket: 'abc', prefix: '*' }, 'prefix'],
    ['a variable of a policy', { bucket: 'abc', prefix: '${aws:username}' }, 'prefix'],
    ['a folder that is no text', { bucket: 'abc', prefix: 1 }, 'prefix'],
    ['empty folders', { bucket: 'abc', prefix: 'a//b' }, 'prefix'],
    ['a role by name', { bucket: 'abc', roleArn: 'a' }, 'roleArn'],
    ['all roles', { bucket: 'abc', roleArn: 'arn:aws:iam::123456789012:role/*' }, 'roleArn'],
  ])('refuse a registry bucket with %s', (_what, bucket, field) => {
    const reading = parseSettings({ registryBuckets: [bucket] });
    expect(reading.ok ? [] : reading.mistakes.map(({ pointer }) => pointer)).toEqual([
      `/registryBuckets/0/${field}`,
    ]);
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

  const messageOf = (files: Parameters<typeof readDeployment>[0]): string => {
    const reading = readDeployment(files);
    return reading.ok ? '' : reading.message;
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

  it('reports every mistake of both files at once, with the nearest name', () => {
    const settings = write('bad.json', '{"syncIntervalMinute": 20, "access": {"publicReleaseDate": true}}');
    const badReleases = write('releases.json', '{"release_source": [], "confirm_removal": ["4"]}');
    const message = messageOf({ releases: badReleases, settings });
    expect(message.split('\n')).toEqual([
      'the configuration cannot be deployed:',
      expect.stringContaining(`${settings} /syncIntervalMinute: `),
      expect.stringMatching(/\/access\/publicReleaseDate: .*"publicReleaseData"/),
      expect.stringMatching(/\/release_source: .*"release_sources"/),
      expect.stringContaining(`${badReleases} /confirm_removal/0: `),
    ]);
    expect(message).toContain('did you mean "syncIntervalMinutes"');
  });

  it('suggests the nearest choice', () => {
    const settings = write('choice.json', '{"access": {"publicReleaseData": "grahp"}, "stages": "test"}');
    const message = messageOf({ releases, settings });
    expect(message).toContain('did you mean "graph"');
    expect(message).toContain('did you mean "stage"');
  });

  it.each([
    ['is not there', () => join(folder, 'absent.json'), 'cannot be read'],
    ['is not JSON', () => write('broken.json', '{\n  "access": {},}'), 'line 2, column 16'],
    ['gives a name twice', () => write('twice.json', '{"access": {}, "access": {}}'), 'given twice'],
  ])('is refused when the settings file %s', (_what, file, expected) => {
    const settings = file();
    expect(messageOf({ releases, settings })).toContain(settings);
    expect(messageOf({ releases, settings })).toContain(expected);
  });

  it('is refused without a releases file', () => {
    expect(messageOf({ releases: join(folder, 'absent.json') })).toContain('cannot be read');
  });
});
