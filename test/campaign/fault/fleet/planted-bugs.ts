import { type AttributeValue, DeleteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Assessment } from '../../../../functions/fleet/store.ts';
import { wrapCommand } from '../../../helpers/wrap-command.ts';
import { dropCondition, loseLease } from '../harness/client-bugs.ts';
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
      wrapCommand(client, 'QueryCommand', async (input, next) => {
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
      wrapCommand(client, 'PutItemCommand', (input, next) => {
        if (!isAhead(input.Item!)) return next(input);
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
    plant: (client) => loseLease(client, ({ pk }) => pk!.S === 'FOLLOW#STATE'),
  },

  'newer mark removed': {
    what: 'the mark of a report goes, also when another report has set it anew',
    kind: 'any',
    plant: (client) => dropCondition(client, 'DeleteItemCommand', ({ sk }) => sk!.S === 'REPORTED'),
  },

  'written over': {
    what: 'what lies ahead is written whatever another run has written since',
    kind: 'concurrent',
    plant: (client) => dropCondition(client, 'PutItemCommand', isAhead),
  },
};

function isAhead({ sk }: Readonly<Record<string, AttributeValue>>): boolean {
  return sk!.S === 'AHEAD';
}
