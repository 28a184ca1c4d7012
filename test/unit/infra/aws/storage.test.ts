import { describe, expect, it } from 'vitest';
import { ENV } from '../../../../functions/runtime/env.ts';
import { templateOf, textsIn } from '../../../helpers/template/template.ts';

const RESTORED = 'Cairn-Table-restored';
const registryBuckets = [{ bucket: 'registry', prefix: '' }];
const own = await templateOf({ registryBuckets });
const restored = await templateOf({ registryBuckets, restoredTable: RESTORED });
const functions = ['Query', 'Manage', 'SyncReleases', 'Watch', 'FollowFleet', 'Pruning/RunPruner'];

describe('a restored table', () => {
  it('takes the place of the one of the stack, which stays in the account', () => {
    expect(own.resource('Table')).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(restored.ofType('AWS::DynamoDB::Table')).toEqual([]);
    expect(restored.output('TableName')).toBe(RESTORED);
  });

  it('is what every function works on that has a table', () => {
    const working = restored
      .ofType('AWS::Lambda::Function')
      .filter(({ properties }) => ENV.tableName in (properties.Environment?.Variables ?? {}));
    expect(working.map(({ id }) => id).toSorted()).toEqual(functions.map(restored.idOf).toSorted());
  });

  it.each(functions)('is what %s works on', (path) => {
    const { Variables } = restored.resource(path).Properties.Environment;
    expect(Variables[ENV.tableName]).toBe(RESTORED);
  });

  it.each(functions)('is all that %s has a right on, by the same conditions', (path) => {
    const rights = ({ statementsOf, idOf }: typeof own) =>
      statementsOf(idOf(`${path}Role`)).filter(({ Action }) => textsIn(Action)[0]?.startsWith('dynamodb:'));
    const ofRestored = rights(restored);
    expect(ofRestored).not.toEqual([]);
    expect(ofRestored.map(({ Action, Condition }) => [Action, Condition])).toEqual(
      rights(own).map(({ Action, Condition }) => [Action, Condition]),
    );
    for (const { Resource } of ofRestored) {
      expect(textsIn(Resource).join('')).toMatch(new RegExp(`:table/${RESTORED}(/index/gsi1)?$`));
    }
  });
});
