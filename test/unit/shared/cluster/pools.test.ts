import type { LabelExpression } from '@cairn/shared/cluster/labels';
import { poolOfNodes } from '@cairn/shared/cluster/pools';
import { describe, expect, it } from 'vitest';

const role = (name: string) => ({ [`node-role.kubernetes.io/${name}`]: '' });

function aPool(name: string, matchLabels: Record<string, string>, ...matchExpressions: LabelExpression[]) {
  return { name, nodeSelector: { matchLabels, matchExpressions } };
}

const MASTER = aPool('master', role('master'));
const WORKER = aPool('worker', role('worker'));
const INFRA = aPool('infra', role('infra'));

describe('the pool of a node', () => {
  it.each<[string, Record<string, string>, ReturnType<typeof aPool>[], string | null]>([
    ['worker', role('worker'), [MASTER, WORKER], 'worker'],
    ['master in a compact cluster', { ...role('worker'), ...role('master') }, [WORKER, MASTER], 'master'],
    ['a custom one before worker', { ...role('worker'), ...role('infra') }, [WORKER, INFRA, MASTER], 'infra'],
    ['master before a custom one', { ...role('master'), ...role('infra') }, [INFRA, MASTER], 'master'],
    [
      'the first custom one by name',
      role('infra'),
      [aPool('z', role('infra')), aPool('a', role('infra'))],
      'a',
    ],
    ['none without a match', role('other'), [MASTER, WORKER], null],
    ['none without pools', role('worker'), [], null],
    ['none when the pool asks for nothing', role('worker'), [aPool('all', {})], null],
    ['none when a label has another value', { zone: 'b' }, [aPool('p', { zone: 'a' })], null],
    ['none for what every object has', {}, [aPool('p', {}, expression('constructor', 'Exists'))], null],
  ])('is %s', (_title, labels, pools, expected) => {
    expect(poolOfNodes([{ name: 'n', labels }], pools)).toEqual(new Map([['n', expected]]));
  });

  it.each<[string, string[], string | undefined, boolean]>([
    ['In', ['a', 'b'], 'b', true],
    ['In', ['a', 'b'], 'c', false],
    ['In', ['a', 'b'], undefined, false],
    ['NotIn', ['a', 'b'], 'b', false],
    ['NotIn', ['a', 'b'], 'c', true],
    ['NotIn', ['a', 'b'], undefined, true],
    ['Exists', [], '', true],
    ['Exists', [], undefined, false],
    ['DoesNotExist', [], '', false],
    ['DoesNotExist', [], undefined, true],
    ['Gt', ['1'], '2', false],
  ])('with %s %j and the label %j: %s', (operator, values, label, isMatching) => {
    const labels: Record<string, string> = label === undefined ? {} : { zone: label };
    const pools = [aPool('p', {}, { key: 'zone', operator, values })];
    expect(poolOfNodes([{ name: 'n', labels }], pools).get('n')).toBe(isMatching ? 'p' : null);
  });

  it('needs all that the pool asks for', () => {
    const pools = [aPool('p', { a: '1', b: '2' }, expression('c', 'Exists'))];
    const nodes = [
      { name: 'all', labels: { a: '1', b: '2', c: '' } },
      { name: 'no c', labels: { a: '1', b: '2' } },
      { name: 'no b', labels: { a: '1', c: '' } },
    ];
    expect([...poolOfNodes(nodes, pools)]).toEqual([
      ['all', 'p'],
      ['no c', null],
      ['no b', null],
    ]);
  });
});

function expression(key: string, operator: string): LabelExpression {
  return { key, operator, values: [] };
}
