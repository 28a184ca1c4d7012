import {
  type BatchGetItemCommandOutput,
  type BatchWriteItemCommandInput,
  type BatchWriteItemCommandOutput,
  DeleteItemCommand,
  type DeleteItemCommandInput,
  type DynamoDBClient,
  type GetItemCommandInput,
  type GetItemCommandOutput,
  PutItemCommand,
  type PutItemCommandInput,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { FetchResult } from '../../../../functions/outbound/cincinnati.ts';
import type { Table } from '../../../../functions/store/table.ts';
import type { SyncRequest } from '../../../../functions/sync/job.ts';
import { respectFutureSlots, wrapCommand } from '../../../helpers/wrap-command.ts';
import type { FaultKind } from '../scenario.ts';

/** What a program with a bug does otherwise, at its client of the table, its request or its upstream. */
export interface SyncBug {
  readonly what: string;
  readonly kind: FaultKind;
  plant?(planting: {
    readonly client: DynamoDBClient;
    /** Past the proxy, for what the table does by itself. */
    readonly direct: Table;
    /** That of all runs of a trial. */
    readonly memory: Map<string, unknown>;
  }): void;
  request?(request: SyncRequest, actor: string): SyncRequest;
  answer?(result: FetchResult): FetchResult;
}

const STATE_KEY = 'SYNC#STATE';
/** So that what is left to the table's expiry is gone by the next run but one. */
const EXPIRES_MS = 15 * 60_000;
const EVERY_PAIR = ['stable-4.12/amd64', 'fast-4.12/amd64', 'stable-4.13/amd64', 'stable-4.14/amd64'];

export const SYNC_BUGS: Readonly<Record<string, SyncBug>> = {
  'fence dropped': {
    what: 'heads are written whatever they are by then',
    kind: 'concurrent',
    plant({ client }) {
      wrapCommand<PutItemCommandInput, object>(client, 'PutItemCommand', (input, next) => {
        const { ConditionExpression: _condition, ExpressionAttributeValues: _values, ...rest } = input;
        return next(isHead(input) ? rest : input);
      });
    },
  },

  'pointer before body': {
    what: 'the head of a document is written before its body',
    kind: 'any',
    plant({ client }) {
      const waiting: PutItemCommandInput[] = [];
      let isTheirTurn = false;
      wrapCommand<PutItemCommandInput, object>(client, 'PutItemCommand', async (input, next) => {
        if (input.Item!['sk']!.S!.startsWith('BODY#') && !isTheirTurn) {
          waiting.push(input);
          return {};
        }
        const output = await next(input);
        if (!isHead(input)) return output;
        isTheirTurn = true;
        for (const body of waiting.splice(0)) await client.send(new PutItemCommand(body));
        isTheirTurn = false;
        return output;
      });
    },
  },

  'unprocessed ignored': {
    what: 'what a batch left out counts as done',
    kind: 'any',
    plant({ client }) {
      wrapCommand<object, BatchGetItemCommandOutput>(client, 'BatchGetItemCommand', async (input, next) => ({
        ...(await next(input)),
        UnprocessedKeys: {},
      }));
      wrapCommand<object, BatchWriteItemCommandOutput>(
        client,
        'BatchWriteItemCommand',
        async (input, next) => ({
          ...(await next(input)),
          UnprocessedItems: {},
        }),
      );
    },
  },

  'lost answer is a lost lease': {
    what: 'a write that fails its condition is never compared with what is there',
    kind: 'lost-answers',
    plant({ client }) {
      wrapCommand<GetItemCommandInput, GetItemCommandOutput>(
        client,
        'GetItemCommand',
        async (input, next) => {
          const output = await next(input);
          const isState = input.Key!['pk']!.S === STATE_KEY;
          return isState && output.Item
            ? { ...output, Item: { ...output.Item, leaseOwner: { S: 'another' }, token: { N: '0' } } }
            : output;
        },
      );
    },
  },

  'run key per delivery': {
    what: 'a slot is told apart by something that each delivery has anew',
    kind: 'duplicates',
    request: (request, actor) => {
      const delivery = Number(actor.split('-')[1]);
      return {
        ...request,
        scheduledTime: new Date(Date.parse(request.scheduledTime) + delivery).toISOString(),
      };
    },
  },

  'future slot is a duplicate': {
    what: 'a slot that a wrong clock has done stops every run until its time has come',
    kind: 'clock',
    plant: ({ client }) => respectFutureSlots(client),
  },

  'doubt ignored': {
    what: 'empty and shrunken answers are taken as true',
    kind: 'any',
    request: (request) => ({ ...request, accept: EVERY_PAIR }),
  },

  'lease expires': {
    what: 'the item of the lease is left to the expiry of the table, and its token begins anew',
    kind: 'any',
    plant({ client, direct, memory }) {
      wrapCommand<UpdateItemCommandInput, object>(client, 'UpdateItemCommand', async (input, next) => {
        const isState = input.Key!['pk']!.S === STATE_KEY;
        const usedAt = (memory.get('usedAt') as number | undefined) ?? Infinity;
        if (isState && Date.now() - usedAt > EXPIRES_MS) {
          await direct.client.send(new DeleteItemCommand({ TableName: direct.name, Key: input.Key }));
        }
        if (isState) memory.set('usedAt', Date.now());
        return next(input);
      });
    },
  },

  'withdrawn edges stay': {
    what: 'edges of an earlier answer are added to those of the newest',
    kind: 'any',
    answer: keepEdges(),
  },

  'deletions without a fence': {
    what: 'what is retired is deleted whatever it is by then',
    kind: 'concurrent',
    plant({ client }) {
      wrapCommand<DeleteItemCommandInput, object>(client, 'DeleteItemCommand', (input, next) => {
        const { ConditionExpression: _condition, ExpressionAttributeValues: _values, ...rest } = input;
        return next(rest);
      });
    },
  },

  'former bodies stay': {
    what: 'what nobody reads any more is not taken away',
    kind: 'any',
    plant({ client }) {
      wrapCommand<BatchWriteItemCommandInput, object>(client, 'BatchWriteItemCommand', (input, next) => {
        const requests = Object.values(input.RequestItems!)[0]!;
        const isOfBodies = requests[0]!.DeleteRequest?.Key!['sk']!.S!.startsWith('BODY#');
        return isOfBodies ? Promise.resolve({}) : next(input);
      });
    },
  },
};

function isHead({ Item }: PutItemCommandInput): boolean {
  return Item!['pk']!.S!.startsWith('DOC#') && Item!['sk']!.S === '!HEAD';
}

function keepEdges(): (result: FetchResult) => FetchResult {
  return (result) => {
    const answer = result.ok ? (result.answer as { nodes?: unknown[]; edges?: unknown[] }) : null;
    const count = answer?.nodes?.length ?? 0;
    if (!result.ok || !answer?.edges || count < 3) return result;
    const all = Array.from({ length: count - 1 }, (_, from) => [from, from + 1]);
    return { ...result, answer: { ...answer, edges: [...answer.edges, ...all] } };
  };
}
