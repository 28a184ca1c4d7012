import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createPruner, finishedPodsAndJobs } from '@cairn/shared/prune';
import { afterEach, describe, expect, it } from 'vitest';
import { clusterStore } from '../../../docs/examples/prune/cluster-store.ts';
import { listen } from '../../helpers/listen.ts';
import { aJob, aPod, brief, type KubernetesObject, NOW } from '../../helpers/prune/objects.ts';

/** Answers as the API of a cluster does, a page of two objects at a time. */
function aCluster(objects: readonly KubernetesObject[], changed: readonly string[] = []) {
  const requests: string[] = [];
  const left = new Set(objects);
  const bodies: unknown[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests.push(`${request.method} ${request.url}`);
    const url = new URL(request.url!, 'http://cluster.example');
    if (request.headers.authorization !== 'Bearer secret') {
      response.writeHead(401).end();
    } else if (request.method === 'GET') {
      const kind = url.pathname.endsWith('/pods') ? 'Pod' : 'Job';
      const items = objects
        .filter((object) => object.kind === kind)
        .map(({ metadata, status }) => ({ metadata, status }));
      const start = Number(url.searchParams.get('continue') ?? 0);
      const next = start + 2 < items.length ? String(start + 2) : '';
      response.end(JSON.stringify({ metadata: { continue: next }, items: items.slice(start, start + 2) }));
    } else {
      bodies.push(JSON.parse(await text(request)));
      const name = url.pathname.split('/').at(-1)!;
      const object = objects.find(({ metadata }) => metadata.name === name);
      const isThere = object !== undefined && left.has(object);
      response.writeHead(changed.includes(name) ? 409 : isThere ? 200 : 404).end('{}');
      if (isThere && !changed.includes(name)) left.delete(object);
    }
  }
  const server = createServer((request, response) => void answer(request, response));
  return { server, requests, bodies, left };
}

let close = async () => {};
afterEach(() => close());

async function start({ server }: ReturnType<typeof aCluster>): Promise<string> {
  const listening = await listen(server);
  ({ close } = listening);
  return listening.url;
}

const OBJECTS = [
  aPod('p1', '9d'),
  aPod('p2', '9d', 'Running'),
  aPod('p3', '8d'),
  aPod('p4', '8d'),
  aPod('p5', '1d'),
  aJob('j1', '10d'),
];

describe('the store of docs/examples/prune/cluster-store.ts', () => {
  it('reads all pages, deletes what has not changed, and knows what is gone', async () => {
    const cluster = aCluster(OBJECTS, ['p4']);
    const store = clusterStore(await start(cluster), 'secret');
    const report = await createPruner({
      ...finishedPodsAndJobs({ olderThan: '7d' }),
      store,
      namespaces: ['batch'],
      now: NOW,
      hooks: {
        beforeDelete: ({ metadata }) => void (metadata.name === 'p3' && cluster.left.delete(OBJECTS[2]!)),
      },
    }).run();
    expect(brief(report)).toEqual({
      outcome: 'incomplete',
      skipped: ['p2'],
      kept: ['p5'],
      selected: ['j1', 'p1', 'p3', 'p4'],
      deleted: ['j1', 'p1'],
      absent: ['p3'],
      failed: ['p4'],
    });
    expect(cluster.requests).toEqual([
      'GET /apis/batch/v1/namespaces/batch/jobs?limit=500',
      'GET /api/v1/namespaces/batch/pods?limit=500',
      'GET /api/v1/namespaces/batch/pods?limit=500&continue=2',
      'GET /api/v1/namespaces/batch/pods?limit=500&continue=4',
      'DELETE /apis/batch/v1/namespaces/batch/jobs/j1',
      'DELETE /api/v1/namespaces/batch/pods/p1',
      'DELETE /api/v1/namespaces/batch/pods/p3',
      'DELETE /api/v1/namespaces/batch/pods/p4',
    ]);
    expect(cluster.bodies[0]).toEqual({
      propagationPolicy: 'Background',
      preconditions: { uid: 'uid-of-Job-j1' },
    });
  });

  it('gives no half list for a whole one', async () => {
    const cluster = aCluster(OBJECTS);
    const store = clusterStore(await start(cluster), 'wrong');
    const report = await createPruner({ ...finishedPodsAndJobs({ olderThan: '7d' }), store, now: NOW }).run();
    expect(report).toMatchObject({ outcome: 'incomplete', examined: 0 });
    expect(report.problems.map(({ error }) => String(error))).toEqual([
      'Error: GET /apis/batch/v1/jobs?limit=500: 401',
      'Error: GET /api/v1/pods?limit=500: 401',
    ]);
  });
});
