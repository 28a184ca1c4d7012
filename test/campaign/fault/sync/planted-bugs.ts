import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { FetchResult } from '../../../../functions/outbound/cincinnati.ts';
import type { Table } from '../../../../functions/store/table.ts';
import type { SyncRequest } from '../../../../functions/sync/job.ts';
import { wrapCommand } from '../../../helpers/wrap-command.ts';
import { dropCondition, loseLease, respectFutureSlots } from '../harness/client-bugs.ts';
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
    plant: ({ client }) => dropCondition(client, 'PutItemCommand', isHead),
  },

  'pointer before body': {
    what: 'the head of a document is written before its body',
    kind: 'any',
    plant({ client }) {
      const waiting: PutItemCommandInput[] = [];
      let isTheirTurn = false;
      wrapCommand(client, 'PutItemCommand', async (input, next) => {
        if (input.Item!['sk']!.S!.startsWith('BODY#') && !isTheirTurn) {
          waiting.push(input);
          return {};
        }
        const output = await next(input);
        if (!isHead(input.Item!)) return output;
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
      wrapCommand(client, 'BatchGetItemCommand', async (input, next) => ({
        ...(await next(input)),
        UnprocessedKeys: {},
      }));
      wrapCommand(client, 'BatchWriteItemCommand', async (input, next) => ({
        ...(await next(input)),
        UnprocessedItems: {},
      }));
    },
  },

  'lost answer is a lost lease': {
    what: 'a write that fails its condition is never compared with what is there',
    kind: 'lost-answers',
    plant: ({ client }) => loseLease(client, ({ pk }) => pk!.S === STATE_KEY),
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
      wrapCommand(client, 'UpdateItemCommand', async (input, next) => {
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
    plant: ({ client }) => dropCondition(client, 'DeleteItemCommand'),
  },

  'former bodies stay': {
    what: 'what nobody reads any more is not taken away',
    kind: 'any',
    plant({ client }) {
      wrapCommand(client, 'BatchWriteItemCommand', (input, next) => {
        const requests = Object.values(input.RequestItems!)[0]!;
        const isOfBodies = requests[0]!.DeleteRequest?.Key!['sk']!.S!.startsWith('BODY#');
        return isOfBodies ? Promise.resolve({}) : next(input);
      });
    },
  },
};

function isHead({ pk, sk }: Readonly<Record<string, AttributeValue>>): boolean {
  return pk!.S!.startsWith('DOC#') && sk!.S === '!HEAD';
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
