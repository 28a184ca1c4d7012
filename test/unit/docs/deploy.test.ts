import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../infra/aws/bundling/options.ts';
import { OUTPUTS } from '../../../infra/aws/outputs.ts';
import { parseSettings } from '../../../infra/aws/settings/read-settings.ts';
import { DEFAULT_SETTINGS } from '../../../infra/aws/settings/settings.ts';
import { templateOf, textsIn } from '../../helpers/template/template.ts';

const text = readFileSync(join(PROJECT_ROOT, 'docs/deploy.md'), 'utf8');
const sectionOf = (title: string) => text.split(/^## /m).find((section) => section.startsWith(`${title}\n`))!;
const blocks = [...text.matchAll(/^```json\n(.*?)^```/gms)].map(([, json]) => JSON.parse(json!) as object);
const registryBuckets = [{ bucket: 'registry', prefix: 'prod' }];
const { statementsOf, idOf } = await templateOf({ registryBuckets });
const isPolicy = (block: object) => 'Statement' in block;

/** Of settings that the code calls by their former name. */
const PREFERRED: Readonly<Record<string, string>> = {
  news: 'notifications',
  watchIntervalMinutes: 'housekeepingIntervalMinutes',
};

interface Statement {
  readonly Action: unknown;
  readonly Condition?: unknown;
  readonly Resource: unknown;
}

describe('the guide to deployments', () => {
  it('names every setting, and none that is not there', () => {
    const keys = [...sectionOf('Settings').matchAll(/^\| `([\w.]+)`/gm)].map(
      ([, key]) => key!.split('.')[0]!,
    );
    const names = Object.keys(DEFAULT_SETTINGS).map((name) => PREFERRED[name] ?? name);
    expect([...new Set(keys)].toSorted()).toEqual(names.toSorted());
  });

  it('has settings that are accepted', () => {
    const examples = blocks.filter((block) => !isPolicy(block));
    expect(examples.length).toBeGreaterThan(2);
    for (const example of examples) expect(parseSettings(example)).toMatchObject({ ok: true });
  });

  it('names every output, and none that is not there', () => {
    const [, table = ''] = sectionOf('Outputs').split(/^\| -+.*$/m);
    const names = table.split('\n').flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)]);
    expect(names.map(([, name]) => name!).toSorted()).toEqual(Object.keys(OUTPUTS).toSorted());
  });

  it('gives a role in another account the rights that the pruner has in its own', () => {
    const own = (statementsOf(idOf('Pruning/RunPrunerRole')) as Statement[]).filter(({ Resource }) =>
      textsIn(Resource).some((part) => part.startsWith(':s3:::registry')),
    );
    const documented = blocks
      .filter(isPolicy)
      .flatMap((block) => (block as { Statement: Statement[] }).Statement)
      .filter(({ Resource }) => textsIn(Resource).some((part) => part.startsWith('arn:aws:s3:::registry')));
    const comparable = (statements: readonly Statement[]) =>
      statements
        .map(({ Action, Condition, Resource }) => ({
          actions: textsIn(Action).toSorted(),
          condition: Condition ?? null,
          resource: textsIn(Resource).join('').replace('AWS::Partition', 'aws'),
        }))
        .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    expect(own.length).toBeGreaterThan(3);
    expect(comparable(documented)).toEqual(comparable(own));
  });
});
