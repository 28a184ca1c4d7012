import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** Calls of a table client and their capacity. */
export interface TableCalls {
  readonly writes: number;
  /** `Query 2, UpdateItem 1: 1.5 read, 1 written`, sorted by operation. */
  readonly text: string;
}

interface Capacity {
  readonly CapacityUnits?: number;
}

const WRITES = /^(Put|Update|Delete|BatchWrite)Item$/;

export function countTableCalls(client: DynamoDBClient): { take(): TableCalls } {
  let calls: { readonly operation: string; readonly units: number }[] = [];
  client.middlewareStack.add(
    (next, { commandName = 'unknown' }) =>
      async (call) => {
        const operation = commandName.replace(/Command$/, '');
        const count = (units: number) => calls.push({ operation, units });
        try {
          const result = await next({ ...call, input: { ...call.input, ReturnConsumedCapacity: 'TOTAL' } });
          const { ConsumedCapacity: used } = result.output as { ConsumedCapacity?: Capacity | Capacity[] };
          count([used ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0));
          return result;
        } catch (error) {
          // A failed condition costs a write, which the engine does not report.
          count(0);
          throw error;
        }
      },
    { step: 'initialize' },
  );
  return {
    take() {
      const taken = calls;
      calls = [];
      const byName = Map.groupBy(taken, ({ operation }) => operation);
      const unitsOf = (isWrite: boolean) =>
        taken
          .filter(({ operation }) => WRITES.test(operation) === isWrite)
          .reduce((sum, { units }) => sum + units, 0);
      const counts = [...byName].map(([name, same]) => `${name} ${same.length}`).toSorted();
      return {
        writes: taken.filter(({ operation }) => WRITES.test(operation)).length,
        text:
          counts.length === 0
            ? 'none'
            : `${counts.join(', ')}: ${unitsOf(false)} read, ${unitsOf(true)} written`,
      };
    },
  };
}
