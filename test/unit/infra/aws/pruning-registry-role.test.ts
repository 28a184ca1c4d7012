import { expect, it } from 'vitest';
import { templateOf, textsIn } from '../../../helpers/template/template.ts';

const ROLE = 'arn:aws:iam::210987654321:role/registry-pruning';
const near = { bucket: 'near', prefix: '' };
const far = { bucket: 'far-away', prefix: 'prod', roleArn: ROLE };
const JOB = 'Pruning/RunPruner';

const { resource, idOf, statementsOf, ofType, violations } = await templateOf({
  registryBuckets: [near, far],
});

function registryBucketsOf(path: string): unknown {
  const { REGISTRY_BUCKETS: text } = resource(path).Properties.Environment.Variables;
  return text === undefined ? undefined : JSON.parse(text);
}

it('the pruner may assume exactly that role, and has no direct right on its bucket', () => {
  const statements = statementsOf(idOf(`${JOB}Role`));
  expect(statements).toContainEqual({ Action: 'sts:AssumeRole', Effect: 'Allow', Resource: ROLE });
  const texts = textsIn(statements);
  expect(texts.some((text) => text.includes('near'))).toBe(true);
  expect(texts.some((text) => text.includes('far-away'))).toBe(false);
});

it('no other function may assume it or reach the bucket', () => {
  const others = ofType('AWS::IAM::Role').filter(({ id }) => id !== idOf(`${JOB}Role`));
  expect(others.length).toBeGreaterThan(5);
  for (const { id } of others) {
    const texts = textsIn(statementsOf(id));
    expect(texts.filter((text) => /sts:|far-away/.test(text), id)).toEqual([]);
  }
});

it('the role is known to those who need it', () => {
  expect(registryBucketsOf(JOB)).toEqual([near, far]);
  expect(registryBucketsOf('Watch')).toEqual([near, far]);
  expect(registryBucketsOf('Manage')).toEqual([near, { bucket: 'far-away', prefix: 'prod' }]);
});

it('without a role there is neither the right nor the variable', async () => {
  const plain = await templateOf({ registryBuckets: [near] });
  expect(textsIn(plain.resources).filter((text) => text === 'sts:AssumeRole')).toHaveLength(
    // Those of the trust of each role: who may take on our own.
    plain.ofType('AWS::IAM::Role').length,
  );
  expect(plain.resource(JOB).Properties.Environment.Variables).not.toHaveProperty('REGISTRY_BUCKETS');
});

it('leaves cdk-nag nothing to say', () => {
  expect(violations.map(({ ruleName }) => ruleName)).toEqual([]);
});
