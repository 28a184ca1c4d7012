import type { CatalogFacts } from '@cairn/shared/cluster/extension-facts';
import type { ClusterFacts, SubscriptionFacts } from '@cairn/shared/cluster/facts';
import { PLATFORM_ONLY } from '@cairn/shared/path/mirror-list';
import { operatorsToMirror } from '@cairn/shared/plan/mirror-operators';
import { describe, expect, it } from 'vitest';
import { aCluster, anExtension, anObjectSet, anOperator } from '../../../helpers/cluster/clusters.ts';
import { answerAlong } from '../../../helpers/path/random-paths.ts';
import { reportOn } from '../../../helpers/plan/reports.ts';

const WAY = ['4.14.8', '4.14.30', '4.15.20', '4.16.9'];
const RED_HAT = 'registry.redhat.io/redhat/redhat-operator-index';
const MARKETPLACE = 'openshift-marketplace';

/** Follows the channel `stable` of the package of its name, in the catalog of Red Hat. */
function aSubscription(name: string, changes: Partial<SubscriptionFacts> = {}): SubscriptionFacts {
  return {
    namespace: `openshift-${name}`,
    name,
    package: name,
    channel: 'stable',
    source: 'redhat-operators',
    sourceNamespace: MARKETPLACE,
    startingCsv: '',
    installedCsv: `${name}.v1`,
    currentCsv: `${name}.v1`,
    ...changes,
  };
}

/** Labelled as the operator lifecycle manager does it. */
function labelled(name: string, changes: Parameters<typeof anOperator>[1] = {}) {
  return anOperator(`${name}.v1`, {
    namespace: `openshift-${name}`,
    components: [`${name}.openshift-${name}`],
    ...changes,
  });
}

/** A release that the operator does not outlive. */
const upTo = (value: string) => ({ properties: [{ type: 'olm.maxOpenShiftVersion', value }] });

function contentOf(changes: Partial<ClusterFacts>, path: readonly string[] = WAY) {
  const facts = aCluster(changes, path[0]);
  return operatorsToMirror({ facts, path, hops: reportOn(facts, answerAlong(path)).hops });
}

/** `4.15 redhat-operator-index: a (stable)` */
function listed(changes: Partial<ClusterFacts>, path: readonly string[] = WAY): string[] {
  return contentOf(changes, path).catalogs!.map(({ minor, catalog, sources, packages }) => {
    const names = packages.map(({ name, channels }) => `${name} (${channels.join(' ')})`);
    const index = catalog?.replace(/^registry\.redhat\.io\/redhat\//, '').replace(`:v${minor}`, '');
    return `${minor} ${index ?? `? ${sources.join()}`}: ${names.join(', ')}`;
  });
}

describe('operators to mirror', () => {
  it('are those of the Subscriptions, from the catalogs of the minors that the cluster passes', () => {
    const subscriptions = [
      aSubscription('logging', { channel: 'stable-5.8' }),
      aSubscription('gpu', { source: 'certified-operators', channel: 'v24' }),
    ];
    expect(contentOf({ subscriptions })).toEqual({
      catalogs: ['4.15', '4.16'].flatMap((minor) => [
        {
          minor,
          catalog: `registry.redhat.io/redhat/certified-operator-index:v${minor}`,
          sources: [`${MARKETPLACE}/certified-operators`],
          packages: [{ name: 'gpu', channels: ['v24'] }],
        },
        {
          minor,
          catalog: `${RED_HAT}:v${minor}`,
          sources: [`${MARKETPLACE}/redhat-operators`],
          packages: [{ name: 'logging', channels: ['stable-5.8'] }],
        },
      ]),
      notes: [
        'Operators of the catalogs of 4.15 and 4.16; those of 4.14 are left out, as the cluster has them',
      ],
    });
  });

  it.each([
    ['redhat-operators', 'redhat-operator-index'],
    ['certified-operators', 'certified-operator-index'],
    ['community-operators', 'community-operator-index'],
    ['redhat-marketplace', 'redhat-marketplace-index'],
    ['cs-redhat-operator-index-v4-14', 'redhat-operator-index'],
    ['cs-redhat-operator-index', 'redhat-operator-index'],
    ['cs-redhat-marketplace-index-v4-9', 'redhat-marketplace-index'],
  ])('of %s are in %s', (source, index) => {
    const subscriptions = [aSubscription('a', { source })];
    expect(listed({ subscriptions })).toEqual([`4.15 ${index}: a (stable)`, `4.16 ${index}: a (stable)`]);
    const isMirror = source.startsWith('cs-');
    const { notes } = contentOf({ subscriptions });
    expect(notes.filter((note) => note.endsWith(`: ${MARKETPLACE}/${source}`))).toHaveLength(
      isMirror ? 1 : 0,
    );
  });

  it.each([
    ['my-own', MARKETPLACE],
    ['redhat-operators', 'elsewhere'],
    ['cs-redhat-operator-index-v4-14', 'elsewhere'],
    ['cs-redhat-operator-index-v4-14-mine', MARKETPLACE],
    ['cs-my-operator-index-v4-14', MARKETPLACE],
    ['Redhat-operators', MARKETPLACE],
    ['constructor', MARKETPLACE],
  ])('of %s in %s are in a catalog with an unknown image', (source, sourceNamespace) => {
    const subscriptions = [aSubscription('a', { source, sourceNamespace }), aSubscription('b')];
    const key = `${sourceNamespace}/${source}`;
    expect(listed({ subscriptions }, ['4.14.8', '4.15.20'])).toEqual([
      '4.15 redhat-operator-index: b (stable)',
      `4.15 ? ${key}: a (stable)`,
    ]);
    expect(contentOf({ subscriptions }).notes[1]).toMatch(
      /^The images of these catalogs are not known.*: \S+$/,
    );
    expect(contentOf({ subscriptions }).notes[1]).toContain(`: ${key}`);
  });

  it('stand once for each package, with all channels that are followed', () => {
    const subscriptions = [
      aSubscription('b', { channel: 'stable' }),
      aSubscription('a', { namespace: 'two', channel: 'stable-2' }),
      aSubscription('a', { channel: 'stable-1' }),
      aSubscription('a', {
        namespace: 'three',
        channel: 'stable-2',
        source: 'cs-redhat-operator-index-v4-14',
      }),
    ];
    expect(listed({ subscriptions }, ['4.14.8', '4.15.20'])).toEqual([
      '4.15 redhat-operator-index: a (stable-1 stable-2), b (stable)',
    ]);
    expect(contentOf({ subscriptions: subscriptions.toReversed() })).toEqual(contentOf({ subscriptions }));
  });

  it('may follow a channel that is not known', () => {
    const subscriptions = [
      aSubscription('a', { channel: '' }),
      aSubscription('b', { channel: 'no channel' }),
      aSubscription('c'),
    ];
    expect(listed({ subscriptions }, ['4.14.8', '4.15.20'])).toEqual([
      '4.15 redhat-operator-index: a (), b (), c (stable)',
    ]);
    expect(contentOf({ subscriptions }).notes.at(-1)).toMatch(
      /oc-mirror takes the default channel: a and b$/,
    );
  });

  it.each<[Partial<SubscriptionFacts>, string]>([
    [{ package: 'x"\n- name: y' }, 'openshift-a/a'],
    [{ package: '' }, 'openshift-a/a'],
    [{ package: '-a' }, 'openshift-a/a'],
    [{ package: 'a'.repeat(254) }, 'openshift-a/a'],
    [{ source: 'x\n  additionalImages: []' }, 'openshift-a/a'],
    [{ sourceNamespace: '../x' }, 'openshift-a/a'],
    [{ package: '#', name: 'a\u2028b', namespace: 'x\n' }, String.raw`"x\n/a${'\u2028'}b"`],
  ])('are left out where a name cannot be one: %j', (changes, name) => {
    const content = contentOf({ subscriptions: [aSubscription('a', changes), aSubscription('b')] });
    expect(content.catalogs!.flatMap(({ packages }) => packages)).toEqual([
      { name: 'b', channels: ['stable'] },
      { name: 'b', channels: ['stable'] },
    ]);
    expect(content.notes.at(-1)).toBe(
      `Left out, as their package or their CatalogSource cannot be one: ${name}`,
    );
  });

  it('are none of the minor that the cluster is in, unless an operator has to be updated to leave it', () => {
    const subscriptions = ['logging', 'later', 'free'].map((name) => aSubscription(name));
    const operators = [labelled('logging', upTo('4.14')), labelled('later', upTo('4.15')), labelled('free')];
    expect(listed({ subscriptions, operators })).toEqual([
      '4.14 redhat-operator-index: logging (stable)',
      '4.15 redhat-operator-index: free (stable), later (stable), logging (stable)',
      '4.16 redhat-operator-index: free (stable), later (stable), logging (stable)',
    ]);
    expect(contentOf({ subscriptions, operators }).notes).toEqual([
      'Operators of the catalogs of 4.15 and 4.16; those of 4.14 are left out, as the cluster has them, but for what has to be updated before it leaves 4.14: logging',
    ]);
  });

  it.each<[string, Partial<SubscriptionFacts>, readonly string[]]>([
    ['what is installed', { installedCsv: 'logging.v1', currentCsv: '' }, []],
    ['what is to be', { installedCsv: '', currentCsv: 'logging.v1' }, []],
    ['its label', { installedCsv: '', currentCsv: '' }, ['logging.openshift-logging']],
  ])('are matched to an operator by %s', (_what, names, components) => {
    const subscriptions = [aSubscription('logging', names)];
    const operators = [labelled('logging', { ...upTo('4.14'), components })];
    expect(listed({ subscriptions, operators })[0]).toBe('4.14 redhat-operator-index: logging (stable)');
    const elsewhere = operators.map((operator) => ({ ...operator, namespace: 'elsewhere' }));
    expect(listed({ subscriptions, operators: elsewhere })[0]).toMatch(/^4\.15/);
  });

  it('are none on a way that stays in the minor, or where there is no way', () => {
    const subscriptions = [aSubscription('a')];
    expect(contentOf({ subscriptions }, ['4.14.8', '4.14.30'])).toEqual({
      catalogs: [],
      notes: ['No operators: the way stays in 4.14, whose catalogs the cluster has'],
    });
    expect(contentOf({ subscriptions }, ['4.14.8']).catalogs).toEqual([]);
    expect(operatorsToMirror({ facts: aCluster({ subscriptions }), path: [], hops: [] })).toEqual({
      catalogs: [],
      notes: [],
    });
  });

  it('are none where none is installed', () => {
    const nothing = { catalogs: [], notes: ['No operators: none is from a catalog'] };
    expect(contentOf({ subscriptions: [], operators: null })).toEqual(nothing);
    expect(contentOf({ subscriptions: null, operators: [] })).toEqual(nothing);
    // Part of the release.
    expect(contentOf({ subscriptions: null, operators: [anOperator('packageserver')] })).toEqual(nothing);
  });

  it('are not known where the cluster says nothing of them', () => {
    expect(contentOf({ subscriptions: null, operators: null })).toBe(PLATFORM_ONLY);
    expect(contentOf({ subscriptions: null, operators: null }, ['4.14.8'])).toBe(PLATFORM_ONLY);
    // Stored before labels were read.
    const { components: _components, ...stored } = labelled('logging');
    expect(contentOf({ subscriptions: null, operators: [stored as never] })).toBe(PLATFORM_ONLY);
    expect(listed({ subscriptions: [aSubscription('logging')], operators: [stored as never] })).toHaveLength(
      2,
    );
  });

  it('are named that no Subscription keeps installed', () => {
    const operators = [labelled('kept'), labelled('alone'), anOperator('packageserver')];
    const { notes, catalogs } = contentOf({ subscriptions: [aSubscription('kept')], operators });
    expect(catalogs!.flatMap(({ packages }) => packages.map(({ name }) => name))).toEqual(['kept', 'kept']);
    expect(notes.at(-1)).toBe(
      'Left out, as no Subscription says which catalog they are from: openshift-alone/alone.v1',
    );
  });
});

describe('operators to mirror, of OLM v1', () => {
  const TO_421 = ['4.20.3', '4.21.1'];
  const aCatalog = (name: string, changes: Partial<CatalogFacts> = {}): CatalogFacts => ({
    name,
    labels: { 'olm.operatorframework.io/metadata.name': name },
    image: `${RED_HAT}:v4.20`,
    priority: -100,
    isAvailable: true,
    ...changes,
  });
  const from = (name: string) => ({
    catalogSelector: {
      matchLabels: { 'olm.operatorframework.io/metadata.name': name },
      matchExpressions: [],
    },
  });
  const redHat = aCatalog('openshift-redhat-operators');
  const community = aCatalog('openshift-community-operators', {
    image: 'registry.redhat.io/redhat/community-operator-index:v4.20',
    priority: -400,
  });

  it('are in the catalog of their selector, with its tag moved to each minor', () => {
    const extensions = [
      anExtension('my-quay', { package: 'quay', channels: ['stable-3', 'stable-2'], ...from(redHat.name) }),
      anExtension('gitea', { channels: ['alpha'], ...from(community.name) }),
    ];
    const changes = { subscriptions: [aSubscription('a')], extensions, catalogs: [redHat, community] };
    expect(contentOf(changes, TO_421)).toEqual({
      catalogs: [
        {
          minor: '4.21',
          catalog: 'registry.redhat.io/redhat/community-operator-index:v4.21',
          sources: [community.name],
          packages: [{ name: 'gitea', channels: ['alpha'] }],
        },
        {
          minor: '4.21',
          catalog: `${RED_HAT}:v4.21`,
          sources: [`${MARKETPLACE}/redhat-operators`, redHat.name],
          packages: [
            { name: 'a', channels: ['stable'] },
            { name: 'quay', channels: ['stable-2', 'stable-3'] },
          ],
        },
      ],
      notes: ['Operators of the catalogs of 4.21; those of 4.20 are left out, as the cluster has them'],
    });
  });

  it('are in the catalog with the highest priority if several can have them', () => {
    const off = aCatalog('off', { image: 'a/b:v4.20', priority: 9, isAvailable: false });
    const extensions = [anExtension('quay', { channels: ['x'] })];
    const changes = { extensions, catalogs: [community, redHat, off] };
    expect(listed(changes, TO_421)).toEqual(['4.21 redhat-operator-index: quay (x)']);
    expect(contentOf(changes, TO_421).notes[1]).toMatch(/^Several catalogs can have .*: quay$/);
  });

  it.each([
    [
      'cc-redhat-operator-index-v4-20',
      'mirror.example.com/redhat/redhat-operator-index:v4.20',
      `${RED_HAT}:v4.21`,
    ],
    ['own', 'quay.example.com:8443/team/catalog:v4.20', 'quay.example.com:8443/team/catalog:v4.21'],
    ['own', 'quay.example.com/team/catalog:latest', null],
    ['own', 'quay.example.com/team/catalog@sha256:abc', null],
    ['own', 'quay.example.com/team/catalog"\n:v4.20', null],
  ])('of ClusterCatalog %s with image %s are in %s', (name, image, catalog) => {
    const changes = {
      extensions: [anExtension('quay', { channels: ['x'] })],
      catalogs: [aCatalog(name, { image })],
    };
    expect(contentOf(changes, TO_421).catalogs).toMatchObject([{ catalog, sources: [name] }]);
    const { notes } = contentOf(changes, TO_421);
    expect(notes.filter((note) => note.startsWith('The images of these ClusterCatalogs'))).toHaveLength(
      catalog === null ? 1 : 0,
    );
  });

  it('are known without Subscriptions', () => {
    const changes = {
      subscriptions: null,
      operators: null,
      extensions: [anExtension('quay')],
      catalogs: null,
    };
    expect(listed(changes, TO_421)).toEqual(['4.21 redhat-operator-index: quay ()']);
    expect(contentOf(changes, TO_421).notes).toEqual([
      expect.stringContaining('Operators of the catalogs'),
      expect.stringContaining('oc get subscriptions.operators.coreos.com -A -o json'),
      expect.stringMatching(/^Several catalogs can have .*: quay$/),
      expect.stringMatching(/^These ClusterExtensions follow all channels .*: quay$/),
    ]);
  });

  it('come first from the catalog of the current minor if they have to be updated to leave it', () => {
    const changes = {
      extensions: [anExtension('my-quay', { package: 'quay' })],
      objectSets: [anObjectSet('my-quay', upTo('4.20'))],
      catalogs: [redHat],
    };
    expect(listed(changes, TO_421)).toEqual([
      '4.20 redhat-operator-index: quay ()',
      '4.21 redhat-operator-index: quay ()',
    ]);
  });

  it('are left out if their package cannot be one', () => {
    const extensions = [anExtension('a', { package: 'x"\n' }), anExtension('b', { package: '' })];
    expect(contentOf({ extensions, subscriptions: [] }, TO_421)).toEqual({
      catalogs: [],
      notes: ['No operators: none is from a catalog', 'Left out, as their package cannot be one: a and b'],
    });
  });
});

describe('operators to mirror, of labels alone', () => {
  it('are expected in the catalog of Red Hat, in their default channels', () => {
    const operators = [labelled('logging', upTo('4.14')), labelled('gitops'), anOperator('packageserver')];
    expect(listed({ subscriptions: null, operators })).toEqual([
      '4.14 redhat-operator-index: logging ()',
      '4.15 redhat-operator-index: gitops (), logging ()',
      '4.16 redhat-operator-index: gitops (), logging ()',
    ]);
    const { catalogs, notes } = contentOf({ subscriptions: null, operators });
    expect(catalogs!.map(({ sources }) => sources)).toEqual([[], [], []]);
    expect(notes).toEqual([
      expect.stringContaining('before it leaves 4.14: logging'),
      expect.stringContaining('looked for in the catalog of Red Hat'),
      expect.stringContaining('oc get subscriptions.operators.coreos.com -A -o json'),
    ]);
  });

  it.each<[string, string[], string[]]>([
    ['of another namespace', ['a.elsewhere'], []],
    ['that is cut', [`a.${'openshift-x'.slice(0, 8)}`], []],
    ['without a package', ['.openshift-x'], []],
    ['with a hostile package', ['"\n.openshift-x'], []],
    ['with dots', ['a.b.openshift-x'], ['a.b']],
    ['among others', ['cut', 'a.openshift-x', 'b.openshift-x'], ['a', 'b']],
  ])('by a label %s', (_what, components, names) => {
    const operators = [anOperator('x', { namespace: 'openshift-x', components })];
    const { catalogs, notes } = contentOf({ subscriptions: null, operators }, ['4.14.8', '4.15.20']);
    expect(catalogs!.flatMap(({ packages }) => packages.map(({ name }) => name))).toEqual(names);
    expect(notes.filter((note) => note.startsWith('Left out'))).toEqual(
      names.length > 0
        ? []
        : ['Left out, as the label that names their package is cut or cannot be one: openshift-x/x'],
    );
  });
});
