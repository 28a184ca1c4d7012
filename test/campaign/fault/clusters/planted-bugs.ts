import {
  type BatchGetItemCommandInput,
  type BatchWriteItemCommandInput,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  type PutItemCommandInput,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { wrapCommand } from '../../../helpers/wrap-command.ts';
import type { FaultKind } from '../scenario.ts';

interface ClusterBug {
  readonly what: string;
  /** The kind of trials that finds it soonest. */
  readonly kind: FaultKind;
  /** Makes the client of a program behave as that of one with this bug would. */
  plant(client: DynamoDBClient): void;
}

/** The kinds of bugs that the checks of the clusters must find. */
export const CLUSTER_BUGS = {
  'lost update': {
    what: 'a report is stored whatever was stored since it was joined with the former ones',
    kind: 'concurrent',
    plant: (client) =>
      wrapCommand<PutItemCommandInput, object>(client, 'PutItemCommand', (input, next) => {
        const { ConditionExpression: _condition, ExpressionAttributeValues: _values, ...rest } = input;
        return next(isHead(input) ? rest : input);
      }),
  },

  'head before body': {
    what: 'the head names a body that is written after it',
    kind: 'any',
    plant(client) {
      let held: (() => Promise<unknown>)[] = [];
      wrapCommand<PutItemCommandInput, object>(client, 'PutItemCommand', async (input, next) => {
        if (isBody(input)) {
          held.push(() => next(input));
          return {};
        }
        const bodies = isHead(input) ? held : [];
        if (isHead(input)) held = [];
        const answer = await next(input);
        for (const write of bodies) await write();
        return answer;
      });
    },
  },

  'lost answer taken for a refusal': {
    what: 'a failed condition is believed without looking who met it',
    kind: 'lost-answers',
    plant(client) {
      let isRefused = false;
      wrapCommand<PutItemCommandInput, object>(client, 'PutItemCommand', (input, next) =>
        next(input).catch((error: unknown) => {
          isRefused = error instanceof ConditionalCheckFailedException;
          throw error;
        }),
      );
      wrapCommand<BatchGetItemCommandInput, object>(client, 'BatchGetItemCommand', async (input, next) => {
        const answer = await next(input);
        const isLook = isRefused;
        isRefused = false;
        return isLook ? { ...answer, Responses: {} } : answer;
      });
    },
  },

  'bodies never collected': {
    what: 'what nobody reads any more stays',
    kind: 'concurrent',
    plant: (client) =>
      wrapCommand<BatchWriteItemCommandInput, object>(client, 'BatchWriteItemCommand', async () => ({})),
  },

  'any replica will do': {
    what: 'clusters are read without asking for what was written last',
    kind: 'concurrent',
    plant: (client) =>
      wrapCommand<QueryCommandInput, object>(client, 'QueryCommand', (input, next) =>
        next({ ...input, ConsistentRead: false }),
      ),
  },

  'removed without a trace': {
    what: 'the head of a removed cluster goes, and a writer that stalled takes it for one that never was',
    kind: 'concurrent',
    plant: (client) =>
      wrapCommand<PutItemCommandInput, object>(client, 'PutItemCommand', async (input, next) => {
        if (!isHead(input) || input.Item?.['chunks']?.N !== '0') return next(input);
        const { pk, sk } = input.Item;
        return client.send(new DeleteItemCommand({ TableName: input.TableName, Key: { pk: pk!, sk: sk! } }));
      }),
  },
} satisfies Record<string, ClusterBug>;

export type BugName = keyof typeof CLUSTER_BUGS;

function isHead({ Item = {} }: PutItemCommandInput): boolean {
  return Item['sk']?.S === '!HEAD';
}

function isBody({ Item = {} }: PutItemCommandInput): boolean {
  return Item['sk']?.S?.startsWith('BODY#') === true;
}
