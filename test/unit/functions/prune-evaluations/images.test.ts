import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Json, listOf, node } from '../../../helpers/cluster/objects.ts';
import { openEvaluations } from '../../../helpers/lambda/evaluations.ts';
import {
  byDigest,
  byTag,
  digest,
  image,
  minutesAgo,
  pod,
  stream,
  workload,
} from '../../../helpers/prune/cluster-scenario.ts';

const evaluations = openEvaluations();
const NOW = '2026-11-16T08:00:00Z';
const COLLECTED =
  'pods,rc,rs,deployments,statefulsets,daemonsets,jobs,cronjobs,builds,bc,dc,imagestreams,images';

const post = (body: unknown, query = '') => evaluations.post('images', body, query);

interface Evaluation {
  readonly blockers: readonly { reason: string; message: string }[];
  readonly tagItems: readonly { repository: string; tag: string; revision: number; digest: string }[];
  readonly images: readonly { digest: string }[];
  readonly protected: readonly object[];
  readonly inUse: { complete: boolean; missing: readonly string[] };
  readonly invalidReferences: readonly object[];
  readonly commands: readonly string[];
}

async function evaluate(documents: unknown, policy: Json = {}) {
  const request = { documents, policy: { now: NOW, collected: COLLECTED.split(','), ...policy } };
  const { status, body, text } = await post(request);
  expect(status, text).toBe(200);
  return body as Evaluation;
}

const objects: readonly Json[] = [
  ...['D0', 'D1', 'D2', 'D3', 'D4'].map((name) => image(name, { layers: ['base', `L${name}`] })),
  stream('foo/bar', { latest: ['D0', 'D1', 'D2', 'D3', 'D4'] }),
  pod('Running', byTag('foo/bar', 'latest')),
  workload('CronJob', byDigest('foo/bar', 'D4')),
  node('w0'),
];

describe('POST /v1/prune-evaluations/images', () => {
  it('returns what would be deleted, what is in use and its users, and the commands', async () => {
    expect(await evaluate(objects)).toMatchObject({
      policy: {
        keepTagRevisions: 3,
        keepYoungerThan: '1h',
        all: true,
        ignoreInvalidReferences: false,
        namespace: null,
        now: '2026-11-16T08:00:00.000Z',
      },
      blockers: [],
      examined: { imageStreams: 1, tagItems: 5, images: 5 },
      tagItemsTotal: 1,
      tagItems: [
        {
          repository: 'foo/bar',
          tag: 'latest',
          revision: 3,
          digest: digest('D3'),
          createdAt: minutesAgo(120),
          age: '2h',
          reason: 'nothing uses it, and revision 4 of its tag is beyond the 3 that are kept',
        },
      ],
      emptiedTagsTotal: 0,
      imagesTotal: 1,
      images: [
        {
          digest: digest('D3'),
          age: '2h',
          pushed: true,
          reason: 'no tag would name it, and nothing uses it',
        },
      ],
      manifestLinksTotal: 1,
      layerLinksTotal: 1,
      links: [{ repository: 'foo/bar', manifests: [digest('D3')], layers: [digest('LD3')] }],
      blobsTotal: 2,
      protectedTotal: 2,
      protected: [
        { object: 'foo/bar:latest', digest: digest('D0'), reason: 'the tag is used by Pod shop/pod-running' },
        {
          object: 'foo/bar:latest',
          digest: digest('D4'),
          reason: 'the image is used by CronJob shop/cronjob',
        },
      ],
      kept: [
        { for: 'tagged', tagItems: 0, images: 4 },
        { for: 'revision', tagItems: 2, images: 0 },
        { for: 'tag in use', tagItems: 1, images: 0 },
        { for: 'image in use', tagItems: 1, images: 0 },
      ],
      inUse: { complete: true, missing: [], images: 1, tags: 1, digests: 1, protectedRepositories: [] },
      invalidReferencesTotal: 0,
      inCommands: { tagItems: 1, images: 1 },
      commands: [
        expect.stringMatching(
          /^oc patch imagestreams\.image\.openshift\.io bar -n foo --subresource=status /,
        ) as string,
        `oc delete images.image.openshift.io --ignore-not-found ${digest('D3')}`,
      ],
      input: { documents: 9, objects: 9, emptyLists: 0, ignored: [] },
    });
  });

  it.each<[string, Json, readonly string[], readonly string[]]>([
    ['fewer revisions', { keep_tag_revisions: 1 }, ['D1', 'D2', 'D3'], ['D1', 'D2', 'D3']],
    ['no revisions', { keep_tag_revisions: 0 }, ['D1', 'D2', 'D3'], ['D1', 'D2', 'D3']],
    ['what is young', { keep_younger_than: '3h' }, [], []],
    ['what is exactly as old', { keep_younger_than: '2h' }, [], []],
    ['a namespace', { keep_tag_revisions: 1, namespace: 'foo' }, ['D1', 'D2', 'D3'], []],
    ['another namespace', { keep_tag_revisions: 1, namespace: 'fo' }, [], []],
  ])('by %s', async (_name, policy, items, images) => {
    const verdict = await evaluate(objects, policy);
    expect(verdict.tagItems.map((item) => item.digest)).toEqual(items.map(digest));
    expect(verdict.images.map((item) => item.digest)).toEqual(images.map(digest));
  });

  it('keeps imported images without all', async () => {
    const imported = image('D9', { annotations: null });
    const streams = stream('foo/empty', {});
    expect((await evaluate([imported, streams, objects[6]])).images).toHaveLength(1);
    expect((await evaluate([imported, streams, objects[6]], { all: false })).images).toEqual([]);
  });

  it('takes the same in the query, with documents in a row, compressed', async () => {
    const query = `?keep_tag_revisions=1&keep_younger_than=90m&ignore_invalid_refs=true&collected=${COLLECTED}&now=${NOW}`;
    const rows = gzipSync(objects.map((object) => JSON.stringify(object)).join('\n'));
    const { status, body } = await post(rows, query);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      policy: { keepTagRevisions: 1, keepYoungerThan: '1h30m', ignoreInvalidReferences: true },
      tagItemsTotal: 3,
      input: { documents: 9 },
    });
  });

  it('takes an upload', async () => {
    const created = await evaluations.deployment.request('POST', '/v1/uploads');
    const { url, upload } = created.body as { url: string; upload: string };
    const sent = await fetch(url, { method: 'PUT', body: gzipSync(JSON.stringify(listOf(...objects))) });
    expect(sent.status).toBe(200);
    const { body } = await post({ upload, policy: { now: NOW, collected: COLLECTED.split(',') } });
    expect(body).toMatchObject({ tagItemsTotal: 1, imagesTotal: 1, blockers: [] });
  });

  it('gives no commands when a reference is invalid, and reports each; with ignore_invalid_refs the image that it seems to name stays', async () => {
    const broken = [
      ...objects,
      workload('Job', ' registry:5000/foo/Bar:v1'),
      workload('Deployment', 'not valid'),
    ];
    const refused = await evaluate(broken, { keep_tag_revisions: 1 });
    expect(refused.blockers).toEqual([
      {
        reason: 'InvalidReferences',
        message: '2 references cannot be read and may hide a use; mend them, or ask with ignore_invalid_refs',
      },
    ]);
    expect(refused.commands).toEqual([]);
    expect(refused.invalidReferences).toEqual([
      {
        object: 'Job shop/job',
        place: 'container c0',
        reference: ' registry:5000/foo/Bar:v1',
        why: expect.stringContaining('"Bar" is no part of a name') as string,
        protects: ['foo/bar'],
      },
      expect.objectContaining({ object: 'Deployment shop/deployment', protects: [] }),
    ]);
    const other = [image('E0'), image('E1'), stream('foo/other', { latest: ['E0', 'E1'] })];
    const ignored = await evaluate([...broken, ...other], {
      keep_tag_revisions: 1,
      ignore_invalid_refs: true,
    });
    expect(ignored.blockers).toEqual([]);
    expect(ignored.tagItems).toMatchObject([{ repository: 'foo/other', digest: digest('E1') }]);
    expect(ignored.commands).toHaveLength(2);
  });

  it('gives no commands when kinds that use images are missing, and says which', async () => {
    const verdict = await evaluate(objects, { collected: ['rc', 'rs'] });
    expect(verdict.inUse.complete).toBe(false);
    expect(verdict.inUse.missing).toEqual([
      'Deployment',
      'StatefulSet',
      'DaemonSet',
      'Job',
      'Build',
      'BuildConfig',
      'DeploymentConfig',
    ]);
    expect(verdict.blockers).toMatchObject([{ reason: 'IncompleteInUse' }]);
    expect(verdict.tagItems).toHaveLength(1);
    expect(verdict.commands).toEqual([]);
  });

  it.each([
    ['ImageStreams', 'ImageStream', 'NoImageStreams'],
    ['Images', 'Image', 'NoImages'],
  ])('says nothing without %s, though they were asked for', async (_name, kind, reason) => {
    const verdict = await evaluate(objects.filter((object) => object['kind'] !== kind));
    expect(verdict).toMatchObject({ blockers: [{ reason }], tagItemsTotal: 0, imagesTotal: 0, commands: [] });
  });

  it('lists up to 1,000 of everything, and counts all', async () => {
    const names = Array.from({ length: 1200 }, (_, index) => `D${index}`);
    const many = [
      ...names.map((name) => image(name, { layers: [`L${name}`] })),
      stream('foo/bar', { latest: names }),
      ...names.map((name) => stream(`foo/s${name}`, { latest: ['absent'] })),
      pod('Running', 'x', { spec: { containers: names.map(() => ({ name: 'c', image: 'NOT VALID' })) } }),
    ];
    const body = await evaluate(many, { keep_tag_revisions: 0 });
    expect(body).toMatchObject({
      tagItemsTotal: 2400,
      emptiedTagsTotal: 1201,
      imagesTotal: 1200,
      manifestLinksTotal: 1200,
      layerLinksTotal: 1200,
      invalidReferencesTotal: 1200,
    });
    const { tagItems, images, emptiedTags, links, invalidReferences } = body as unknown as Record<
      string,
      unknown[]
    >;
    const linked = (links as { manifests: unknown[]; layers: unknown[] }[]).map(
      ({ manifests, layers }) => manifests.length + layers.length,
    );
    expect([tagItems, images, emptiedTags, invalidReferences].map((list) => list!.length)).toEqual(
      Array(4).fill(1000),
    );
    expect(linked).toEqual([1000]);
  });

  it('as text is a script of which no name can make a line', async () => {
    const hostile = {
      ...workload('Job', 'bad image\nreboot'),
      metadata: { name: 'x\nreboot\u001b[2J', namespace: 'shop' },
    };
    const tags = stream('foo/bar', { latest: ['D0', 'D1'], 'a\nreboot': ['D1', 'D2'] });
    const documents = [...objects.filter((object) => object['kind'] !== 'ImageStream'), tags, hostile];
    const policy = {
      now: NOW,
      collected: COLLECTED.split(','),
      keep_tag_revisions: 0,
      ignore_invalid_refs: true,
    };
    const { status, headers, text } = await post({ documents, policy, format: 'text' });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
    expect(lines.map((line) => line.split(' ', 2).join(' '))).toEqual(['oc delete']);
    expect(text).toContain('The commands are for a part of them');
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it.each<[string, Json, object]>([
    [
      'revisions below 0',
      { keep_tag_revisions: -1 },
      { pointer: '/policy/keep_tag_revisions', detail: 'a whole number from 0 to 100000 is accepted' },
    ],
    ['revisions as a text', { keep_tag_revisions: '3' }, { pointer: '/policy/keep_tag_revisions' }],
    [
      'a duration that is none',
      { keep_younger_than: '3' },
      {
        pointer: '/policy/keep_younger_than',
        detail: '"3" is no duration, such as 60m, 36h or 7d is accepted',
      },
    ],
    ['a flag that is none', { all: 'no' }, { pointer: '/policy/all', detail: 'true or false is accepted' }],
    ['a namespace that is none', { namespace: 'Shop' }, { pointer: '/policy/namespace' }],
    ['a time that is none', { now: '2026-13-40T00:00:00Z' }, { pointer: '/policy/now' }],
    ['kinds that are none', { collected: ['a b'] }, { pointer: '/policy/collected/0' }],
    [
      'a name that is not known',
      { keep_tag_revision: 3 },
      { pointer: '/policy/keep_tag_revision', detail: 'is not known, did you mean keepTagRevisions?' },
    ],
  ])('refuses %s', async (_name, policy, error) => {
    const { status, body } = await post({ documents: objects, policy });
    expect(status).toBe(400);
    expect((body as { errors: object[] }).errors[0]).toMatchObject(error);
  });

  it('refuses a policy in both places, and documents that are not as they should be', async () => {
    const twice = await post({ documents: objects, policy: { all: true } }, '?all=true');
    expect(twice.body).toMatchObject({ errors: [{ pointer: '/policy' }] });
    const wrong = await post({ documents: [pod('Running', 'x', { spec: { containers: 7 } })] });
    expect([wrong.status, wrong.body]).toMatchObject([
      400,
      { type: 'urn:cairn:problem:invalid-documents', errors: [{ pointer: '/documents/0/spec/containers' }] },
    ]);
    expect((await post('')).status).toBe(400);
  });
});

describe('docs/pruning.md', () => {
  const docs = new URL('../../../../docs/', import.meta.url);
  const page = readFileSync(new URL('pruning.md', docs), 'utf8');

  it('shows the answer on images as it is', async () => {
    const example = readFileSync(new URL('examples/pruning/images.json', docs), 'utf8');
    const kinds = /^KINDS=(\S+)$/m.exec(page)![1]!;
    const { text } = await post(example, `?collected=${kinds}&now=${encodeURIComponent(NOW)}&format=text`);
    expect(page).toContain(`\n\`\`\`\n${text}\`\`\`\n`);
  });

  it('names every field of the policy', async () => {
    const { body } = await post({ documents: [], policy: { a: 1, b: 1 } });
    const named = /accepted are ([^;]+)/.exec((body as { detail: string }).detail)![1]!;
    // As in a query, which the page shows.
    const fields = named.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).split(', ');
    expect(fields.length).toBeGreaterThan(5);
    const section = page.slice(page.indexOf('## Images'));
    expect(fields.filter((field) => !section.includes(`| \`${field}\` `))).toEqual([]);
  });
});
