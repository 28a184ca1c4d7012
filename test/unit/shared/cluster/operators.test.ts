import type { OperatorFacts } from '@cairn/shared/cluster/facts';
import { describe, expect, it } from 'vitest';
import { readDocuments } from '../../../helpers/cluster/cluster-documents.ts';
import { type Json, operator } from '../../../helpers/cluster/objects.ts';

function operatorsIn(...objects: readonly Json[]): readonly OperatorFacts[] {
  const reading = readDocuments(JSON.stringify(objects), { isRemovedApi: () => false });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.facts.operators!;
}

const INSTALLED = 'operatorframework.io/properties';
const DECLARED = 'olm.properties';

describe('operators', () => {
  it('are read in the order of their namespaces, then names', () => {
    const all = operatorsIn(operator('b', 'x'), operator('a-b', 'x'), operator('a', 'y'), operator('a', 'x'));
    expect(all.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual(['a/x', 'a/y', 'a-b/x', 'b/x']);
    expect(all[0]).toEqual({
      namespace: 'a',
      name: 'x',
      displayName: 'An operator',
      version: '1.2.3',
      minKubeVersion: '',
      phase: 'Succeeded',
      components: [],
      properties: null,
      declaredProperties: null,
    });
  });

  it.each<[string, Json]>([
    [
      'a label',
      operator(
        'ns',
        'x',
        {},
        { metadata: { name: 'x', namespace: 'ns', labels: { 'olm.copiedFrom': 'a' } } },
      ),
    ],
    ['the namespace of its operator', operator('ns', 'x', { 'olm.operatorNamespace': 'a' })],
    ['its reason', operator('ns', 'x', {}, { status: { phase: 'Succeeded', reason: 'Copied' } })],
  ])('are not the copies, which are known by %s', (_title, copy) => {
    expect(operatorsIn(copy, operator('a', 'x', { 'olm.operatorNamespace': 'a' }))).toMatchObject([
      { namespace: 'a' },
    ]);
  });
});

describe('labels that name the package', () => {
  const labelled = (labels: unknown) =>
    operator('ns', 'x', {}, { metadata: { name: 'x', namespace: 'ns', labels } });

  it.each<[Json | null, string[]]>([
    [{ 'operators.coreos.com/logging.ns': '' }, ['logging.ns']],
    [{ 'operators.coreos.com/b.ns': '', 'operators.coreos.com/a.ns': 'x', other: '' }, ['a.ns', 'b.ns']],
    [{ [`operators.coreos.com/${'x'.repeat(63)}`]: '' }, ['x'.repeat(63)]],
    [{ [`operators.coreos.com/${'x'.repeat(64)}`]: '', 'operators.coreos.com/': '' }, []],
    [{ 'x.operators.coreos.com/a.ns': '', 'operators.coreos.com': '' }, []],
    [{}, []],
    [null, []],
  ])('%j', (labels, components) => {
    expect(operatorsIn(labelled(labels))[0]!.components).toEqual(components);
  });
});

describe('properties', () => {
  const max = (value: string) => [{ type: 'olm.maxOpenShiftVersion', value }];
  it.each<[string, OperatorFacts['properties']]>([
    ['[{"type":"olm.maxOpenShiftVersion","value":"4.8"}]', max('4.8')],
    ['[{"type":"olm.maxOpenShiftVersion","value":4.10}]', max('4.10')],
    ['[ { "value" : 4.10 , "type" : "olm.maxOpenShiftVersion" } ]', max('4.10')],
    ['[{"type":"olm.maxOpenShiftVersion","value":4.1e1}]', max('4.1e1')],
    ['[{"type":"olm.maxOpenShiftVersion","value":"\\"4.8\\""}]', max('"4.8"')],
    ['[{"type":"olm.maxOpenShiftVersion","value":{"a":[4.10,"]"]}}]', max('{"a":[4.10,"]"]}')],
    ['[{"type":"olm.maxOpenShiftVersion","value":"4\\"},["}]', max('4"},[')],
    ['[{"type":"olm.maxOpenShiftVersion","value":null}]', max('null')],
    ['[{"type":"olm.maxOpenShiftVersion"}]', max('')],
    ['[{"type":"olm.maxOpenShiftVersion","value":""}]', max('')],
    ['[{"type":"olm.maxOpenShiftVersion","value":"4.99"}]', max('4.99')],
    ['[{"type":"olm.maxOpenShiftVersion","value":"*"}]', max('*')],
    ['[{"type":"olm.maxOpenShiftVersion","value":">=4.8 <4.10"}]', max('>=4.8 <4.10')],
    ['[{"type":"olm.maxOpenShiftVersion","value":4.8,"value":4.9}]', max('4.9')],
    ['[{"t\\u0079pe":"olm.maxOpenShiftVersion","value":4.10}]', max('4.10')],
    [
      '[{"type":"olm.maxOpenShiftVersion","value":4.8},{"type":"olm.gvk","value":{"kind":"K"}},{"type":"olm.maxKubeVersion","value":1.30}]',
      [...max('4.8'), { type: 'olm.maxKubeVersion', value: '1.30' }],
    ],
    ['[]', []],
    ['null', []],
    ['{', { unreadable: 'it is not JSON' }],
    ['', { unreadable: 'it is not JSON' }],
    ['5', { unreadable: 'its properties are not an array' }],
    ['[{"type":"olm.gvk"},5]', { unreadable: 'its property 1 is not an object with a type' }],
    ['[{"type":5}]', { unreadable: 'its property 0 is not an object with a type' }],
  ])('%s', (json, expected) => {
    expect(operatorsIn(operator('ns', 'x', { [DECLARED]: json }))[0]!.declaredProperties).toEqual(expected);
    const wrapped = json === '' ? '' : `{"other":[1],"properties":${json}}`;
    expect(operatorsIn(operator('ns', 'x', { [INSTALLED]: wrapped }))[0]!.properties).toEqual(expected);
  });

  it.each<[string, OperatorFacts['properties']]>([
    ['{}', []],
    ['[]', { unreadable: 'it is not a JSON object' }],
    ['"{}"', { unreadable: 'it is not a JSON object' }],
  ])('written down when the operator was installed: %s', (json, expected) => {
    expect(operatorsIn(operator('ns', 'x', { [INSTALLED]: json }))[0]!.properties).toEqual(expected);
  });

  it('may be long', () => {
    const many = Array.from({ length: 2000 }, (_, number) => ({
      type: 'olm.gvk',
      value: { kind: `Kind${number}` },
    }));
    const json = JSON.stringify({ properties: [...many, ...max('4.14')] });
    expect(operatorsIn(operator('ns', 'x', { [INSTALLED]: json }))[0]!.properties).toEqual(max('4.14'));
  });
});
