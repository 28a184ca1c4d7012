import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { TABLE } from '../../functions/store/table.ts';

/** What the rest of the stack needs to know of it. */
export type TableReference = Pick<Table, 'tableName' | 'tableArn'>;

const text = (name: string) => ({ name, type: AttributeType.STRING });

/** The one table. It outlives the stack: what it holds can't all be had again from upstream. */
class StateTable extends Table {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      partitionKey: text(TABLE.partitionKey),
      sortKey: text(TABLE.sortKey),
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: true,
        recoveryPeriodInDays: 35,
      },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.addGlobalSecondaryIndex({
      indexName: TABLE.index.name,
      partitionKey: text(TABLE.index.partitionKey),
      sortKey: text(TABLE.index.sortKey),
      projectionType: ProjectionType.ALL,
    });
  }
}

/** The table of the stack, or the one that a person restored it to. */
export function stateTable(scope: Construct, restoredTable: string | null): TableReference {
  return restoredTable === null
    ? new StateTable(scope, 'Table')
    : Table.fromTableName(scope, 'RestoredTable', restoredTable);
}
