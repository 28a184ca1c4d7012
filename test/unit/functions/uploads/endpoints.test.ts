import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_UPLOAD_BYTES } from '../../../../functions/http/body.ts';
import { UploadCreated } from '../../../../functions/uploads/schema.ts';
import { clusterVersion, type Json, listOf, node, requestCount } from '../../../helpers/cluster/objects.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM: DrawnUpstream = { amd64: { 'stable-4.16': ['4.14.8 > 4.15.20', '4.15.20 > 4.16.9'] } };

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({ releases: drawnConfig(UPSTREAM), source: drawnSource(UPSTREAM) });
  const run = await deployment.sync.invoke({ scheduledTime: new Date().toISOString(), trigger: 'manual' });
  if (!run.ok) throw new Error(JSON.stringify(run.error));
});
afterAll(() => deployment.close());

async function createUpload() {
  const { status, body } = await deployment.request('POST', '/v1/uploads');
  expect(status).toBe(201);
  return UploadCreated().parse(body);
}

/** Sends it as a client does that knows nothing but the answer. */
async function put(url: string, body: Buffer): Promise<number> {
  const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(body) });
  await answer.arrayBuffer();
  return answer.status;
}

async function upload(body: Buffer): Promise<string> {
  const { upload: id, url } = await createUpload();
  expect(await put(url, body)).toBe(200);
  return id;
}

interface Plan {
  readonly type?: string;
  readonly errors?: readonly object[];
  readonly input?: { readonly documents: number; readonly objects: number };
  readonly hops: readonly {
    readonly conditions: readonly { readonly type: string; readonly reason: string }[];
  }[];
}

async function plan(request: Json) {
  const { status, body } = await deployment.request('POST', '/v1/upgrade-plans', {
    body: JSON.stringify({ target: '4.16.9', ...request }),
    headers: { 'content-type': 'application/json' },
  });
  return { status, ...(body as Plan) };
}

describe('POST /v1/uploads', () => {
  it('gives an address for one object of the bucket, a quarter of an hour', async () => {
    const before = Date.now();
    const { upload: id, url, method, expiresAt, maxBytes } = await createUpload();
    const address = new URL(url);
    expect(id).toMatch(/^[\w-]{22}$/);
    expect(address.pathname).toBe(`/archive/uploads/${id}`);
    expect(address.searchParams.get('X-Amz-Expires')).toBe('900');
    expect([...address.searchParams.keys()].filter((name) => name.includes('checksum'))).toEqual([]);
    expect([method, maxBytes]).toEqual(['PUT', MAX_UPLOAD_BYTES]);
    const lasts = Date.parse(expiresAt) - 900_000;
    expect(lasts).toBeGreaterThanOrEqual(before);
    expect(lasts).toBeLessThanOrEqual(Date.now());
  });

  it('never gives the same twice', async () => {
    const [one, other] = [await createUpload(), await createUpload()];
    expect(one.upload).not.toBe(other.upload);
    expect(one.url).not.toBe(other.url);
  });

  it('gives no right to read, nor to write anything else', async () => {
    const { url } = await createUpload();
    expect(await put(url, Buffer.from('{}'))).toBe(200);
    expect((await fetch(url)).status).toBe(403);
    expect(await put(url.replace('/uploads/', '/archive/'), Buffer.from('{}'))).toBe(403);
  });
});

describe('an upload in the place of documents', () => {
  const documents = Buffer.from(JSON.stringify(listOf(clusterVersion, node('a'))));

  it.each([
    ['as it is', documents],
    ['as gzip', gzipSync(documents)],
    ['in a row', Buffer.from(`${JSON.stringify(clusterVersion)}\n${JSON.stringify(node('a'))}`)],
  ])('is read %s', async (_form, body) => {
    const { status, input } = await plan({ upload: await upload(body) });
    expect([status, input?.objects]).toEqual([200, 2]);
  });

  it('says the same as the documents themselves', async () => {
    const { input: _ours, ...fromUpload } = await plan({ upload: await upload(documents) });
    const { input: _theirs, ...direct } = await plan({ documents: [clusterVersion, node('a')] });
    const withoutTime = (report: object) => ({ ...report, evaluatedAt: null });
    expect(withoutTime(fromUpload)).toEqual(withoutTime(direct));
  });

  it('may be read more than once', async () => {
    const id = await upload(documents);
    expect([(await plan({ upload: id })).status, (await plan({ upload: id })).status]).toEqual([200, 200]);
  });

  it('that was never sent is reported as unknown', async () => {
    const { upload: id } = await createUpload();
    const { status, type, errors } = await plan({ upload: id });
    expect([status, type]).toEqual([404, 'urn:cairn:problem:unknown-upload']);
    expect(errors).toMatchObject([{ pointer: '/upload', value: id }]);
  });

  it('names the document and the place of a fault', async () => {
    const wrong = { kind: 'Node', metadata: { name: 'a', labels: 1 } };
    const body = Buffer.from(`${JSON.stringify(clusterVersion)}${JSON.stringify(listOf(wrong))}`);
    const { status, type, errors } = await plan({ upload: await upload(body) });
    expect([status, type]).toEqual([400, 'urn:cairn:problem:invalid-documents']);
    expect(errors).toMatchObject([{ document: 1, pointer: '/items/0/metadata/labels' }]);
  });
});

describe('what a large cluster prints', () => {
  const NODES = 500;
  const BYTES = 100e6;
  const REMOVED = 'flowschemas.v1beta2.flowcontrol.apiserver.k8s.io';

  /** Lists in a row: the cluster and its nodes, then the use of its APIs, of which one goes away. */
  function documents(): { body: Buffer; objects: number } {
    const nodes = Array.from({ length: NODES }, (_, number) => node(`node-${number}`));
    const cluster = Buffer.from(JSON.stringify(listOf(clusterVersion, ...nodes), null, 4));
    const hour = {
      byNode: ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((nodeName) => ({
        byUser: Array.from({ length: 10 }, (_, user) => ({
          byVerb: [{ requestCount: 4, verb: 'get' }],
          requestCount: 4,
          userAgent: 'operator/v0.0.0',
          username: `system:serviceaccount:openshift-operator-${user}:operator`,
        })),
        nodeName,
        requestCount: 40,
      })),
      requestCount: 120,
    };
    const status = { currentHour: hour, last24h: Array.from({ length: 24 }, () => hour), requestCount: 2880 };
    const item = JSON.stringify(requestCount('pods.v1', status), null, 4);
    const count = Math.ceil(BYTES / item.length);
    const items = Array.from({ length: count }, (_, number) =>
      Buffer.from(
        `${number === 0 ? '' : ','}${number === 7 ? item.replace('pods.v1', REMOVED) : item.replace('pods.v1', `pods${number}.v1`)}`,
      ),
    );
    const body = Buffer.concat([
      cluster,
      Buffer.from('\n{"apiVersion":"v1","items":['),
      ...items,
      Buffer.from('],"kind":"List"}'),
    ]);
    return { body, objects: 1 + NODES + count };
  }

  /** The most memory that a process ever had; 0 where the system does not tell. */
  function peakMegabytes(processId: number): number {
    const file = `/proc/${processId}/status`;
    const status = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
  }

  it('is read from an upload of 100 MB, in a quarter of the memory of the function', async () => {
    const { body, objects } = documents();
    expect(body.length).toBeGreaterThan(BYTES);
    const { status, input, hops } = await plan({ upload: await upload(body) });
    expect([status, input?.documents, input?.objects]).toEqual([200, 2, objects]);
    const removals = hops.at(-1)!.conditions.find(({ type }) => type === 'APIRemovals');
    expect(JSON.stringify(removals)).toContain(REMOVED);
    expect(deployment.manage.processIds().map(peakMegabytes)).toSatisfy((peaks: number[]) =>
      peaks.every((peak) => peak < 256),
    );
  });
});
