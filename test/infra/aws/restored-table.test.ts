import { describe, expect, it } from 'vitest';
import { ENV } from '../../../functions/runtime/env.ts';
import { createStackWithoutBundles, readTemplate, textsIn } from './synthesize.ts';

const RESTORED = 'Cairn-Table-restored';
const own = readTemplate(createStackWithoutBundles());
const restored = readTemplate(createStackWithoutBundles({ restoredTable: RESTORED }));
const functions = ['Query', 'Manage', 'SyncReleases', 'Watch'];

describe('a restored table', () => {
  it('takes the place of the one of the stack, which stays in the account', () => {
    expect(own.resource('Table')).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(restored.ofType('AWS::DynamoDB::Table')).toEqual([]);
    expect(restored.output('TableName')).toBe(RESTORED);
  });

  it.each(functions)('is what %s works on', (path) => {
    const { Variables } = restored.resource(path).Properties.Environment;
    expect(Variables[ENV.tableName]).toBe(RESTORED);
  });

  it.each(functions)('is all that %s has a right on, by the same conditions', (path) => {
    const rights = ({ statementsOf, idOf }: typeof own) =>
      statementsOf(idOf(`${path}Role`)).filter(({ Action }) => textsIn(Action)[0]?.startsWith('dynamodb:'));
    const ofRestored = rights(restored);
    expect(ofRestored.map(({ Action, Condition }) => [Action, Condition])).toEqual(
      rights(own).map(({ Action, Condition }) => [Action, Condition]),
    );
    for (const { Resource } of ofRestored) {
      expect(textsIn(Resource).join('')).toMatch(new RegExp(`:table/${RESTORED}(/index/gsi1)?$`));
    }
  });
});
