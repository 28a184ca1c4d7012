import {
  notApplicableFields,
  type PrunerSpec,
  readPrunerSpec,
  writePrunerSpec,
} from '@cairn/shared/prune/images/pruner/spec';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PROPOSED } from '../../../../../helpers/prune/proposed-pruner.ts';

const TARGETS = [
  { bucket: 'registry', prefix: 'prod' },
  { bucket: 'registry', prefix: 'stage' },
  { bucket: 'other', prefix: '' },
];
const read = (input: unknown, name = 'cluster') => readPrunerSpec(input, { name, targets: TARGETS });

function specOf(input: unknown): PrunerSpec {
  const reading = read(input);
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.spec;
}
function mistakesOf(input: unknown, name?: string): string[] {
  const reading = read(input, name);
  return reading.ok ? [] : reading.mistakes.map(({ pointer, detail }) => `${pointer}: ${detail}`);
}

const DEFAULTS: PrunerSpec = {
  schedule: '0 0 * * *',
  timeZone: 'UTC',
  suspend: false,
  keepTagRevisions: 3,
  keepYoungerThan: '60m',
  keepYoungerThanMs: 3_600_000,
  startingDeadlineSeconds: 3600,
  successfulJobsHistoryLimit: 3,
  failedJobsHistoryLimit: 3,
  managementState: 'Managed',
  target: { bucket: 'registry', prefix: 'prod' },
  dryRun: true,
  protectedTags: [],
  protectedRepositories: [],
  grace: '24h',
  graceMs: 86_400_000,
  requireInUse: false,
  maxDeletes: null,
  acknowledgeUnversioned: false,
  ignoreInvalidImageReferences: false,
  placement: {},
};

describe('readPrunerSpec', () => {
  it('takes what was proposed, whole', () => {
    expect(specOf(parse(PROPOSED))).toEqual({
      ...DEFAULTS,
      schedule: '*/1 * * * *',
      startingDeadlineSeconds: 60,
      placement: { resources: {}, affinity: {}, nodeSelector: {}, tolerations: {} },
    });
  });

  it('takes what a cluster has', () => {
    const shipped = {
      apiVersion: 'imageregistry.operator.openshift.io/v1',
      kind: 'ImagePruner',
      metadata: { name: 'cluster', generation: 1, labels: { a: 'b' }, managedFields: [{}] },
      spec: {
        failedJobsHistoryLimit: 5,
        ignoreInvalidImageReferences: true,
        keepTagRevisions: 2,
        keepYoungerThan: 10_000_000_000,
        logLevel: 'Debug',
        schedule: '',
        successfulJobsHistoryLimit: 4,
        suspend: true,
        tolerations: [{ key: 'infra', operator: 'Exists' }],
      },
    };
    expect(specOf(shipped)).toEqual({
      ...DEFAULTS,
      failedJobsHistoryLimit: 5,
      successfulJobsHistoryLimit: 4,
      ignoreInvalidImageReferences: true,
      keepTagRevisions: 2,
      keepYoungerThan: '10s',
      keepYoungerThanMs: 10_000,
      suspend: true,
      placement: { tolerations: [{ key: 'infra', operator: 'Exists' }], logLevel: 'Debug' },
    });
  });

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['an empty spec', { spec: {} }],
    ['nulls', { spec: { schedule: null, history: null, target: null, resources: null, maxDeletes: null } }],
    ['empty objects', { history: {}, target: {} }],
    ['a spec without more', { dryRun: true }],
  ])('fills in what is left out: %s', (_what, input) => {
    expect(specOf(input)).toEqual(DEFAULTS);
  });

  it.each<[Record<string, unknown>, Partial<PrunerSpec>]>([
    [{ schedule: ' 30  9 * * mon-fri ' }, { schedule: '30 9 * * mon-fri' }],
    [{ schedule: '@every 90m' }, {}],
    [{ timeZone: 'Europe/Berlin' }, {}],
    [{ suspend: true }, {}],
    [{ dryRun: false }, {}],
    [{ keepTagRevisions: 0 }, {}],
    [{ keepYoungerThan: '0s' }, { keepYoungerThanMs: 0 }],
    [{ keepYoungerThan: 0 }, { keepYoungerThan: '0s', keepYoungerThanMs: 0 }],
    [{ keepYoungerThan: 3_600_000_000_000 }, { keepYoungerThan: '1h', keepYoungerThanMs: 3_600_000 }],
    [{ keepYoungerThan: 1_000_000_001 }, { keepYoungerThan: '1s1ms', keepYoungerThanMs: 1001 }],
    [{ keepYoungerThan: '1.5h' }, { keepYoungerThanMs: 5_400_000 }],
    [{ keepYoungerThanDuration: '1h0m0s' }, { keepYoungerThan: '1h0m0s', keepYoungerThanMs: 3_600_000 }],
    [{ grace: '0s' }, { graceMs: 0 }],
    [{ grace: '7d' }, { graceMs: 7 * 86_400_000 }],
    [{ startingDeadlineSeconds: 86_400 }, {}],
    [
      { history: { successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 100 } },
      { successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 100 },
    ],
    [
      {
        history: { successfulJobsHistoryLimit: 7 },
        successfulJobsHistoryLimit: 7,
        failedJobsHistoryLimit: 9,
      },
      { successfulJobsHistoryLimit: 7, failedJobsHistoryLimit: 9 },
    ],
    [{ managementState: 'Removed' }, {}],
    [{ managementState: 'Unmanaged' }, {}],
    [{ target: { bucket: 'other' } }, { target: { bucket: 'other', prefix: '' } }],
    [{ target: { prefix: '/stage/' } }, { target: { bucket: 'registry', prefix: 'stage' } }],
    [{ target: { bucket: 'other', prefix: '' } }, {}],
    [{ protectedTags: ['v*', 'shop/*:stable', 'v*'] }, { protectedTags: ['v*', 'shop/*:stable'] }],
    [{ protectedRepositories: ['openshift/*', 'a?c'] }, {}],
    [{ requireInUse: true }, {}],
    [{ maxDeletes: 1 }, {}],
    [{ acknowledgeUnversioned: true }, {}],
    [{ ignoreInvalidImageReferences: true }, {}],
    [{ resources: { requests: { cpu: '1' } } }, { placement: { resources: { requests: { cpu: '1' } } } }],
    [{ tolerations: [] }, { placement: { tolerations: [] } }],
  ])('takes %j', (input, told) => {
    const isHeldElsewhere = ['history', 'keepYoungerThanDuration', 'resources', 'tolerations'];
    const same = Object.fromEntries(
      Object.entries(input).filter(([name]) => !isHeldElsewhere.some((other) => name.startsWith(other))),
    );
    expect(specOf(input)).toEqual({ ...DEFAULTS, ...same, ...told });
  });

  it('says which of two durations counts', () => {
    const both = { keepYoungerThan: 3_600_000_000_000, keepYoungerThanDuration: '10s' };
    expect(read(both)).toMatchObject({
      ok: true,
      spec: { keepYoungerThan: '10s', keepYoungerThanMs: 10_000 },
      notes: ['keepYoungerThan is ignored, since keepYoungerThanDuration is given'],
    });
  });

  it.each<[unknown, string | RegExp]>([
    ['text', ': is "text", an object is accepted'],
    [null, ': is null, an object is accepted'],
    [[], ': is an array, an object is accepted'],
    [{ spec: 'x' }, '/spec: is "x", an object is accepted'],
    [{ kind: 'ImagePruner' }, '/spec: is missing, it may be empty: {}'],
    [{ kind: 'Pod', spec: {} }, '/kind: is "Pod", ImagePruner is accepted'],
    [
      { apiVersion: 'v1', spec: {} },
      '/apiVersion: is "v1", imageregistry.operator.openshift.io/v1 is accepted',
    ],
    [{ metadata: { name: 'b' }, spec: {} }, '/metadata/name: is "b", but the path names "cluster"'],
    [{ metadata: [], spec: {} }, '/metadata: is an array, an object is accepted'],
    [{ spec: {}, suspend: true }, '/suspend: belongs into spec'],
    [{ spec: {}, statos: {} }, '/statos: is not known, did you mean status?'],
    [{ keepTagRevision: 3 }, '/keepTagRevision: is not known, did you mean keepTagRevisions?'],
    [{ spec: { dryrun: true } }, '/spec/dryrun: is not known, did you mean dryRun?'],
    [{ 'a/b~c': 1 }, /^\/a~1b~0c: is not known, accepted are schedule, timeZone, /],
    [JSON.parse('{"__proto__": {"dryRun": false}}'), /^\/__proto__: is not known/],
    [{ schedule: 5 }, '/schedule: is 5, a text is accepted'],
    [{ schedule: '0 0 * * 7' }, /^\/schedule: .*0 for Sunday|^\/schedule: .*use 0/],
    [{ schedule: '0 0 31 2 *' }, /^\/schedule: .*never fires/],
    [{ spec: { schedule: 'daily' } }, /^\/spec\/schedule: the schedule "daily" has 1 field/],
    [{ timeZone: 'Berlin' }, /^\/timeZone: the time zone "Berlin" is not /],
    [{ timeZone: 2 }, '/timeZone: is 2, a text is accepted'],
    [{ suspend: 'yes' }, '/suspend: is "yes", true or false is accepted'],
    [{ dryRun: 0 }, '/dryRun: is 0, true or false is accepted'],
    [{ requireInUse: 'true' }, '/requireInUse: is "true", true or false is accepted'],
    [{ acknowledgeUnversioned: 1 }, '/acknowledgeUnversioned: is 1, true or false is accepted'],
    [
      { ignoreInvalidImageReferences: [] },
      '/ignoreInvalidImageReferences: is an array, true or false is accepted',
    ],
    [{ keepTagRevisions: -1 }, '/keepTagRevisions: is -1, a whole number from 0 to 100000 is accepted'],
    [{ keepTagRevisions: 1.5 }, '/keepTagRevisions: is 1.5, a whole number from 0 to 100000 is accepted'],
    [{ keepTagRevisions: '3' }, '/keepTagRevisions: is "3", a whole number from 0 to 100000 is accepted'],
    [
      { keepYoungerThan: 'an hour' },
      '/keepYoungerThan: is "an hour", a duration such as 60m, 36h or 7d is accepted',
    ],
    [{ keepYoungerThan: '-1h' }, '/keepYoungerThan: is "-1h", a duration such as 60m, 36h or 7d is accepted'],
    [
      { keepYoungerThan: '-0.5s' },
      '/keepYoungerThan: is "-0.5s", a duration such as 60m, 36h or 7d is accepted',
    ],
    [{ keepYoungerThan: '9999d' }, '/keepYoungerThan: is "9999d", at most 3650d is accepted'],
    [{ keepYoungerThan: 60 }, /^\/keepYoungerThan: is 60; a number means nanoseconds/],
    [{ keepYoungerThan: -3_600_000_000_000 }, /^\/keepYoungerThan: is -3600000000000; a number means/],
    [{ keepYoungerThan: 1e30 }, /^\/keepYoungerThan: is 1e\+30; a number means/],
    [{ keepYoungerThan: true }, '/keepYoungerThan: is true, a duration such as 60m, 36h or 7d is accepted'],
    [
      { keepYoungerThanDuration: 5 },
      '/keepYoungerThanDuration: is 5, a duration such as 60m, 36h or 7d is accepted',
    ],
    [{ grace: 0 }, '/grace: is 0, a duration such as 60m, 36h or 7d is accepted'],
    [
      { startingDeadlineSeconds: 59 },
      /^\/startingDeadlineSeconds: is 59, a whole number from 60 to 86400 is accepted: /,
    ],
    [{ history: 3 }, '/history: is 3, an object is accepted'],
    [
      { history: { successfulJobsHistoryLimit: 0 } },
      '/history/successfulJobsHistoryLimit: is 0, a whole number from 1 to 100 is accepted: the last run must stay to tell how it went',
    ],
    [{ failedJobsHistoryLimit: 0 }, /^\/failedJobsHistoryLimit: is 0, a whole number from 1 to 100/],
    [
      { history: { failedJobsHistoryLimit: 3 }, failedJobsHistoryLimit: 4 },
      '/failedJobsHistoryLimit: is 4, but /history/failedJobsHistoryLimit is 3',
    ],
    [
      { history: { succesfulJobsHistoryLimit: 3 } },
      '/history/succesfulJobsHistoryLimit: is not known, did you mean successfulJobsHistoryLimit?',
    ],
    [{ managementState: 'Force' }, '/managementState: is "Force", Managed, Removed or Unmanaged is accepted'],
    [
      { target: { bucket: 'mine' } },
      '/target/bucket: is "mine", the settings of this deployment name registry or other',
    ],
    [
      { target: { prefix: 'x' } },
      '/target/prefix: is "x", the settings of this deployment name "prod" or "stage"',
    ],
    [{ target: 'registry' }, '/target: is "registry", an object is accepted'],
    [{ target: { bukket: 'registry' } }, '/target/bukket: is not known, did you mean bucket?'],
    [{ protectedTags: 'v1' }, '/protectedTags: is "v1", a list of texts is accepted'],
    [{ protectedTags: ['ok', ''] }, /^\/protectedTags\/1: is "", a name is accepted, with \* and \?/],
    [{ protectedTags: [7] }, '/protectedTags/0: is 7, a text is accepted'],
    [{ protectedRepositories: ['a b'] }, /^\/protectedRepositories\/0: is "a b", a name is accepted/],
    [{ maxDeletes: 0 }, '/maxDeletes: is 0, a whole number from 1 to 1000000000 is accepted'],
    [{ resources: [] }, '/resources: is an array, an object is accepted'],
    [{ affinity: 'x' }, '/affinity: is "x", an object is accepted'],
    [{ nodeSelector: 1 }, '/nodeSelector: is 1, an object is accepted'],
    [{ tolerations: 'x' }, '/tolerations: is "x", a list is accepted'],
    [{ logLevel: 'Loud' }, '/logLevel: is "Loud", Normal, Debug, Trace or TraceAll is accepted'],
  ])('refuses %j', (input, expected) => {
    const mistakes = mistakesOf(input);
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toMatch(expected);
  });

  it('reports every mistake at once', () => {
    const input = { spec: { schedule: 'x', suspend: 1, target: { bucket: 'a' }, history: { x: 1 }, y: 2 } };
    expect(mistakesOf(input).map((mistake) => mistake.split(':')[0])).toEqual([
      '/spec/y',
      '/spec/history/x',
      '/spec/schedule',
      '/spec/suspend',
      '/spec/target/bucket',
    ]);
  });

  it('reports a limited number of unknown fields', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, index]));
    expect(mistakesOf(many)).toHaveLength(20);
  });

  it('takes no more patterns than it can try', () => {
    expect(mistakesOf({ protectedTags: Array.from({ length: 1001 }, () => 'a') })).toEqual([
      '/protectedTags: has 1001 entries, at most 1000 are accepted',
    ]);
  });

  it('needs a bucket that it may work in', () => {
    expect(readPrunerSpec({}, { name: 'a', targets: [] })).toEqual({
      ok: false,
      mistakes: [
        {
          pointer: '/target',
          detail: 'cannot be set: no registry bucket is named in the settings of this deployment',
        },
      ],
    });
  });
});

describe('writePrunerSpec', () => {
  it.each([{}, { spec: parse(PROPOSED).spec as unknown }, { logLevel: 'Trace', maxDeletes: 5, grace: '0s' }])(
    'writes what is read as the same: %j',
    (input) => {
      const spec = specOf(input);
      expect(specOf(writePrunerSpec(spec))).toEqual(spec);
      expect(specOf({ spec: writePrunerSpec(spec) })).toEqual(spec);
    },
  );

  it('has limits of the history where they were proposed, and fields of pods where they were', () => {
    expect(writePrunerSpec(specOf({ affinity: {}, failedJobsHistoryLimit: 2 }))).toMatchObject({
      history: { successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 2 },
      affinity: {},
    });
  });
});

describe('notApplicableFields', () => {
  it('names what has no effect', () => {
    expect(notApplicableFields(specOf({ logLevel: 'Debug', resources: {} }))).toEqual([
      '/spec/resources',
      '/spec/logLevel',
    ]);
    expect(notApplicableFields(specOf({}))).toEqual([]);
  });
});
