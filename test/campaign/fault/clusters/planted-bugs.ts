import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { wrapCommand } from '../../../helpers/wrap-command.ts';
import { dropCondition } from '../harness/client-bugs.ts';
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
    plant: (client) => dropCondition(client, 'PutItemCommand', isHead),
  },

  'head before body': {
    what: 'the head names a body that is written after it',
    kind: 'any',
    plant(client) {
      let held: (() => Promise<unknown>)[] = [];
      wrapCommand(client, 'PutItemCommand', async (input, next) => {
        if (input.Item!['sk']?.S?.startsWith('BODY#')) {
          held.push(() => next(input));
          return {};
        }
        const bodies = isHead(input.Item!) ? held : [];
        if (isHead(input.Item!)) held = [];
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
      wrapCommand(client, 'PutItemCommand', (input, next) =>
        next(input).catch((error: unknown) => {
          isRefused = error instanceof ConditionalCheckFailedException;
          throw error;
        }),
      );
      wrapCommand(client, 'BatchGetItemCommand', async (input, next) => {
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
    plant: (client) => wrapCommand(client, 'BatchWriteItemCommand', async () => ({})),
  },

  'any replica will do': {
    what: 'clusters are read without asking for what was written last',
    kind: 'concurrent',
    plant: (client) =>
      wrapCommand(client, 'QueryCommand', (input, next) => next({ ...input, ConsistentRead: false })),
  },

  'removed without a trace': {
    what: 'the head of a removed cluster goes, and a writer that stalled takes it for one that never was',
    kind: 'concurrent',
    plant: (client) =>
      wrapCommand(client, 'PutItemCommand', async (input, next) => {
        if (!isHead(input.Item!) || input.Item?.['chunks']?.N !== '0') return next(input);
        const { pk, sk } = input.Item;
        return client.send(new DeleteItemCommand({ TableName: input.TableName, Key: { pk: pk!, sk: sk! } }));
      }),
  },
} satisfies Record<string, ClusterBug>;

export type BugName = keyof typeof CLUSTER_BUGS;

function isHead({ sk }: Readonly<Record<string, AttributeValue>>): boolean {
  return sk?.S === '!HEAD';
}
