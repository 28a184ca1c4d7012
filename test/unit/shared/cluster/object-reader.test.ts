import { describe, expect, it } from 'vitest';
import {
  readDocuments,
  readDocumentStream,
  readParsedDocuments,
} from '../../../helpers/cluster/cluster-documents.ts';
import {
  clusterOperator,
  type Json,
  listOf,
  node,
  operator,
  typedListOf,
} from '../../../helpers/cluster/objects.ts';

const OPTIONS = { isRemovedApi: () => false, acceptsPages: true };

const CSV = 'operators.coreos.com/v1alpha1';
const nodes = typedListOf('Node', 'v1', [node('a')]);
const operators = typedListOf('ClusterServiceVersion', CSV, [operator('shop', 'cart.v1')]);
const CONTINUED = { resourceVersion: '5', continue: 'abc', remainingItemCount: 1 };
const LAST = { resourceVersion: '5' };

const CASES: readonly (readonly [title: string, documents: readonly Json[], complete: readonly string[]])[] =
  [
    ['a list of one kind', [nodes, operators], ['nodes', 'operators']],
    ['an empty list of one kind', [typedListOf('ClusterServiceVersion', CSV, [])], ['operators']],
    ['a list without items', [{ kind: 'NodeList', apiVersion: 'v1', metadata: LAST }], ['nodes']],
    ['the first page of one', [{ kind: 'NodeList', apiVersion: 'v1', metadata: CONTINUED }], []],
    [
      'the first page, with its metadata last',
      [{ kind: 'NodeList', apiVersion: 'v1', items: [node('a')], metadata: CONTINUED }],
      [],
    ],
    [
      'the first page, with its metadata first',
      [{ kind: 'NodeList', apiVersion: 'v1', metadata: CONTINUED, items: [node('a')] }],
      [],
    ],
    [
      'all pages',
      [
        { ...nodes, metadata: CONTINUED },
        { ...nodes, metadata: LAST },
      ],
      ['nodes'],
    ],
    ['a List', [listOf(node('a'), clusterOperator('dns'))], ['clusterOperators', 'nodes']],
    ['a List of one namespace', [listOf(operator('shop', 'cart.v1'))], []],
    ['a List that is a page', [{ ...listOf(node('a')), metadata: CONTINUED }], []],
    ['lists in a List', [listOf(operators, listOf(node('a')))], ['nodes', 'operators']],
    [
      'a page in a List',
      [listOf({ ...nodes, metadata: CONTINUED }, clusterOperator('dns'))],
      ['clusterOperators'],
    ],
    ['objects of their own', [node('a'), clusterOperator('dns')], []],
    ['a list of another Node', [typedListOf('Node', 'config.openshift.io/v1', [])], []],
    ['a List of another document', [listOf(clusterOperator('dns')), node('a')], ['clusterOperators']],
  ];

describe('object-reader: what has all objects of a kind', () => {
  it.each(CASES)('%s', async (_title, documents, complete) => {
    const text = documents.map((document) => JSON.stringify(document)).join('\n');
    const bytes = new TextEncoder().encode(text);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 5) }, (_, at) =>
      bytes.slice(at * 5, at * 5 + 5),
    );
    const readings = [
      readDocuments(text, OPTIONS),
      readParsedDocuments(documents, OPTIONS),
      await readDocumentStream(pieces, OPTIONS),
    ];
    for (const reading of readings) {
      expect(reading).toMatchObject({ ok: true, facts: { completeLists: complete } });
    }
  });

  it('is not a list whose metadata are not readable', () => {
    const whole = JSON.stringify({ ...nodes, metadata: LAST });
    const broken = whole.replace('"resourceVersion":"5"', '"resourceVersion":5x');
    expect(broken).not.toBe(whole);
    expect(readDocuments(whole, OPTIONS)).toMatchObject({ facts: { completeLists: ['nodes'] } });
    expect(readDocuments(broken, OPTIONS)).toMatchObject({ facts: { completeLists: [] } });
  });
});
