import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { TABLE } from '../../../functions/store/table.ts';
import type { TableReference } from '../storage.ts';
import { type AlarmDefinition, atLeast, MISSING } from './alarm-definition.ts';

const FIVE_MINUTES = Duration.minutes(5);
/** DynamoDB reports system errors by operation only. */
const OPERATIONS = [
  'GetItem',
  'BatchGetItem',
  'Query',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
] as const;

/** DynamoDB reports table and index separately. */
export const OF_INDEX = { GlobalSecondaryIndexName: TABLE.index.name } as const;

export function tableAlarms(table: TableReference): AlarmDefinition[] {
  return [
    {
      name: 'table-throttled',
      severity: 'medium',
      meaning:
        'DynamoDB turned reads or writes of the table or its index away, ten times or more within 5 minutes.',
      metric: new MathExpression({
        label: 'throttled',
        expression: 'FILL(reads, 0) + FILL(writes, 0) + FILL(indexReads, 0) + FILL(indexWrites, 0)',
        usingMetrics: {
          reads: tableMetric(table, 'ReadThrottleEvents'),
          writes: tableMetric(table, 'WriteThrottleEvents'),
          indexReads: tableMetric(table, 'ReadThrottleEvents', OF_INDEX),
          indexWrites: tableMetric(table, 'WriteThrottleEvents', OF_INDEX),
        },
        period: FIVE_MINUTES,
      }),
      condition: atLeast(10),
      missing: MISSING.isFine,
    },
    {
      name: 'table-errors',
      severity: 'medium',
      meaning: 'DynamoDB failed by its own fault, five times or more within 5 minutes.',
      metric: new MathExpression({
        label: 'errors of DynamoDB',
        expression: OPERATIONS.map((operation) => `FILL(${idOf(operation)}, 0)`).join(' + '),
        usingMetrics: Object.fromEntries(
          OPERATIONS.map((operation) => [
            idOf(operation),
            tableMetric(table, 'SystemErrors', { Operation: operation }),
          ]),
        ),
        period: FIVE_MINUTES,
      }),
      condition: atLeast(5),
      missing: MISSING.isFine,
    },
  ];
}

export function tableMetric(
  table: TableReference,
  metricName: string,
  dimensions: Readonly<Record<string, string>> = {},
): Metric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: table.tableName, ...dimensions },
    statistic: 'Sum',
    period: FIVE_MINUTES,
  });
}

/** Metric math identifiers start with a lower-case letter. */
function idOf(operation: string): string {
  return `${operation.charAt(0).toLowerCase()}${operation.slice(1)}`;
}
