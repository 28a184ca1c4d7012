import { describeResource, type KindName, kindText, parseKind } from '@cairn/shared/prune/objects/resource';
import { describe, expect, it } from 'vitest';
import { ago, aPod, ownedBy } from '../../../../helpers/prune/objects.ts';

describe('parseKind', () => {
  it.each([
    ['v1/Pod', { group: '', version: 'v1', kind: 'Pod' }],
    ['batch/v1/Job', { group: 'batch', version: 'v1', kind: 'Job' }],
    ['RunRecord', { group: '', version: '', kind: 'RunRecord' }],
  ])('%s has its parts, and is printed as it was', (text, parts) => {
    expect(parseKind(text)).toEqual(parts);
    expect(parseKind(parts)).toEqual(parts);
    expect(kindText(parts)).toBe(text);
  });

  it.each([
    '',
    '/',
    'v1/',
    '/Pod',
    'a/b/c/d',
    'v1/ Pod',
    'v1 /Pod',
    null,
    7,
    [],
    {},
    { group: '', version: '', kind: '' },
    { group: '', version: 'v1' },
    { group: 'a/b', version: 'v1', kind: 'Pod' },
  ])('%j is no kind', (name) => {
    expect(() => parseKind(name as KindName)).toThrow(TypeError);
  });

  it('says what a kind is', () => {
    expect(() => parseKind('Pods of mine')).toThrow('"Pods of mine" is no kind; a kind is such as "v1/Pod"');
  });
});

describe('describeResource', () => {
  it('reads a Kubernetes object', () => {
    const pod = aPod('web-1', '2h', 'Running', {
      labels: { app: 'web' },
      deletionTimestamp: '2026-11-16T11:59:00Z',
      ...ownedBy('mine'),
    });
    expect(describeResource(pod)).toEqual({
      kind: { group: '', version: 'v1', kind: 'Pod' },
      namespace: 'batch',
      name: 'web-1',
      uid: 'uid-of-Pod-web-1',
      createdAt: ago('2h'),
      labels: new Map([['app', 'web']]),
      owners: [
        {
          apiVersion: 'example.com/v1',
          kind: 'Operator',
          name: 'mine',
          uid: 'uid-of-Operator-mine',
          controller: true,
        },
      ],
      deletionRequested: true,
    });
  });

  it('reads anything with a kind, a name and a creation time', () => {
    const record = { kind: 'RunRecord', name: 'run-7', createdAt: ago('1h'), labels: { of: 'sync' } };
    expect(describeResource(record)).toEqual({
      kind: { group: '', version: '', kind: 'RunRecord' },
      namespace: null,
      name: 'run-7',
      uid: null,
      createdAt: ago('1h'),
      labels: new Map([['of', 'sync']]),
      owners: [],
      deletionRequested: false,
    });
    expect(kindText(describeResource({ ...record, apiVersion: 'a.example/v2', kind: 'Run' }).kind)).toBe(
      'a.example/v2/Run',
    );
  });

  it('reads what a class computes', () => {
    class Run {
      readonly kind = 'RunRecord';
      readonly name = 'run-7';
      get createdAt() {
        return ago('1h');
      }
    }
    expect(describeResource(new Run()).createdAt).toEqual(ago('1h'));
  });

  const asked = parseKind('batch/v1/Job');
  it.each([
    ['nothing, as items of typed lists', {}, 'batch/v1/Job'],
    ['the kind only', { kind: 'Job' }, 'batch/v1/Job'],
    ['the version only', { apiVersion: 'batch/v1' }, 'batch/v1/Job'],
    ['another kind only', { kind: 'Pod' }, 'Pod'],
    ['another version', { apiVersion: 'batch/v1beta1', kind: 'Job' }, 'batch/v1beta1/Job'],
  ])('takes the requested kind when the object has %s', (_what, told, expected) => {
    expect(kindText(describeResource({ ...told, metadata: { name: 'a' } }, asked).kind)).toBe(expected);
  });

  it.each([
    ['2026-11-16T10:00:00Z', '2026-11-16T10:00:00.000Z'],
    ['2026-11-16T10:00:00.123456789Z', '2026-11-16T10:00:00.123Z'],
    ['2026-11-16T12:00:00+02:00', '2026-11-16T10:00:00.000Z'],
    [new Date('2026-11-16T10:00:00Z'), '2026-11-16T10:00:00.000Z'],
    ['2026-11-16', null],
    ['2026-13-16T10:00:00Z', null],
    ['yesterday', null],
    ['', null],
    [0, null],
    [null, null],
    [undefined, null],
    [new Date('never'), null],
  ])('reads the creation time %j', (creationTimestamp, expected) => {
    const { createdAt } = describeResource({ metadata: { name: 'a', creationTimestamp } });
    expect(createdAt?.toISOString() ?? null).toBe(expected);
  });

  it.each([undefined, null, 7, 'pod', [], {}, { metadata: null }, { metadata: 'x' }, { metadata: [] }])(
    'reads nothing of %j',
    (object) => {
      const { name, createdAt, labels, owners } = describeResource(object);
      expect({ name, createdAt, labels: labels.size, owners }).toEqual({
        name: '',
        createdAt: null,
        labels: 0,
        owners: [],
      });
    },
  );

  it('does not take the time of something else for that of a Kubernetes object', () => {
    expect(describeResource({ metadata: { name: 'a' }, createdAt: ago('1h') }).createdAt).toBeNull();
  });

  it('leaves out labels and owners of another type', () => {
    const labels = JSON.parse('{"app": "web", "__proto__": "x", "count": 3}') as object;
    const read = describeResource({ metadata: { name: 'a', labels, ownerReferences: [null, { uid: 7 }] } });
    expect(read.labels).toEqual(
      new Map([
        ['app', 'web'],
        ['__proto__', 'x'],
      ]),
    );
    expect(read.owners.map(({ uid }) => uid)).toEqual(['', '']);
  });
});
