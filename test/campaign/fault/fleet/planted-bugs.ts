import {
  DeleteItemCommand,
  type DeleteItemCommandInput,
  type DynamoDBClient,
  type GetItemCommandInput,
  type GetItemCommandOutput,
  type PutItemCommandInput,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { Assessment } from '../../../../functions/fleet/store.ts';
import { wrapCommand } from '../../../helpers/wrap-command.ts';
import type { FaultKind } from '../scenario.ts';

export interface FleetBug {
  readonly what: string;
  readonly kind: FaultKind;
  /** Makes the client of a run behave as that of one with this bug would. */
  plant(client: DynamoDBClient): void;
}

export const FLEET_BUGS: Readonly<Record<string, FleetBug>> = {
  'mark removed first': {
    what: 'the mark of a report goes before the cluster was looked at',
    kind: 'any',
    plant(client) {
      wrapCommand<QueryCommandInput, QueryCommandOutput>(client, 'QueryCommand', async (input, next) => {
        const output = await next(input);
        const mark = output.Items?.find(({ sk }) => sk?.S === 'REPORTED');
        if (mark) {
          const Key = { pk: mark['pk']!, sk: mark['sk']! };
          await client.send(new DeleteItemCommand({ TableName: input.TableName, Key }));
        }
        return output;
      });
    },
  },

  'told before it is sent': {
    what: 'news is noted as told and not kept until somebody took it',
    kind: 'any',
    plant(client) {
      wrapCommand<PutItemCommandInput, object>(client, 'PutItemCommand', (input, next) => {
        if (!isAhead(input)) return next(input);
        const { gsi1pk: _list, gsi1sk: _due, ...item } = input.Item!;
        const ahead = JSON.parse(item['ahead']!.S!) as Assessment;
        if (ahead.pending.length === 0) return next(input);
        const told = { S: JSON.stringify({ ...ahead, pending: [] }) };
        return next({ ...input, Item: { ...item, ahead: told } });
      });
    },
  },

  'lost answer is a lost lease': {
    what: 'a lease that fails its condition is never compared with what is there',
    kind: 'lost-answers',
    plant(client) {
      wrapCommand<GetItemCommandInput, GetItemCommandOutput>(
        client,
        'GetItemCommand',
        async (input, next) => {
          const output = await next(input);
          const isState = input.Key!['pk']!.S === 'FOLLOW#STATE';
          return isState && output.Item
            ? { ...output, Item: { ...output.Item, leaseOwner: { S: 'another' }, token: { N: '0' } } }
            : output;
        },
      );
    },
  },

  'newer mark removed': {
    what: 'the mark of a report goes, also when another report has set it anew',
    kind: 'any',
    plant(client) {
      wrapCommand<DeleteItemCommandInput, object>(client, 'DeleteItemCommand', (input, next) => {
        const { ConditionExpression: _condition, ExpressionAttributeValues: _values, ...rest } = input;
        return next(input.Key!['sk']!.S === 'REPORTED' ? rest : input);
      });
    },
  },

  'written over': {
    what: 'what lies ahead is written whatever another run has written since',
    kind: 'concurrent',
    plant(client) {
      wrapCommand<PutItemCommandInput, object>(client, 'PutItemCommand', (input, next) => {
        const { ConditionExpression: _condition, ExpressionAttributeValues: _values, ...rest } = input;
        return next(isAhead(input) ? rest : input);
      });
    },
  },
};

function isAhead({ Item }: PutItemCommandInput): boolean {
  return Item!['sk']!.S === 'AHEAD';
}
