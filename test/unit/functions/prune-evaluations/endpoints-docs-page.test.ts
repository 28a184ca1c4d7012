import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Json } from '../../../helpers/cluster/objects.ts';
import { type EvaluationRoute, openEvaluations } from '../../../helpers/lambda/evaluations.ts';

const { post, refusal } = openEvaluations();

const NOW = '2026-11-16T08:00:00Z';

describe('docs/pruning.md', () => {
  const docs = new URL('../../../../docs/', import.meta.url);
  const page = readFileSync(new URL('pruning.md', docs), 'utf8');
  const example = (name: string) =>
    JSON.parse(readFileSync(new URL(`examples/pruning/${name}`, docs), 'utf8')) as Json;
  const cluster = example('clusterversion.json') as {
    spec: { clusterID: string };
    status: { history: object[] };
  };

  it.each<[string, EvaluationRoute, unknown, string]>([
    ['of a history', 'history', { history: cluster.status.history, max: 11, format: 'text' }, ''],
    [
      'of a fleet',
      'history',
      {
        histories: [{ name: cluster.spec.clusterID, history: cluster.status.history }],
        mode: 'fleet',
        max: 9,
        weights: { zPartial: 40 },
        format: 'text',
      },
      '',
    ],
    [
      'of Pods and Jobs',
      'resources',
      example('pods-and-jobs.json'),
      `?older_than=3d&now=${encodeURIComponent(NOW)}&format=text`,
    ],
  ])('shows the answer %s as it is', async (_name, route, body, query) => {
    const { text } = await post(route, body, query);
    expect(page).toContain(`\n\`\`\`\n${text}\`\`\`\n`);
  });

  it('names every field of a policy', async () => {
    const { detail } = await refusal('resources', { documents: [], policy: { a: 1, b: 1 } });
    const named = /accepted are ([^;]+)/.exec(detail)![1]!;
    // As in a query, which the page shows.
    const fields = named.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).split(', ');
    expect(fields.length).toBeGreaterThan(10);
    expect(fields.filter((field) => !page.includes(`| \`${field}\` `))).toEqual([]);
  });
});
