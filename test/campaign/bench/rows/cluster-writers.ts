import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { archiveOf, takeReport } from '@cairn/shared/cluster/record';
import { changeCluster, readCluster } from '../../../../functions/clusters/store.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { ensureTable } from '../../../../infra/local/table/prepare-table.ts';
import { aCluster, aClusterVersion } from '../../../helpers/cluster/clusters.ts';
import { completed } from '../../../helpers/prune/histories.ts';
import { missingJava, startDynamoDbLocal } from '../../../helpers/table/table-engines.ts';
import type { Row } from '../row.ts';

const WRITERS = 200;
/** Writers with the same client wait for each other, those with others do not. */
const CLIENTS = 8;
const NOW = '2026-11-01T00:00:00.000Z';

/** Reports of one cluster at once, each with an update of its own: none that was acknowledged may be missing. */
export const clusterWriters: Row = {
  name: 'writers of one cluster',
  async run() {
    const without = missingJava();
    if (without !== null) throw new Error(`DynamoDB Local cannot run: ${without}`);
    const engine = await startDynamoDbLocal();
    try {
      const tables = Array.from({ length: CLIENTS }, () => tableAt(engine.url));
      await ensureTable(tables[0]!);
      const outcomes = await Promise.all(
        Array.from({ length: WRITERS }, async (_, index) => {
          const version = `4.16.${index}`;
          const clusterVersion = aClusterVersion({ history: [completed(version, index + 1)] });
          const { outcome } = await changeCluster(tables[index % CLIENTS]!, 'one', (former) =>
            takeReport(former?.record ?? null, aCluster({ clusterVersion }), {
              now: NOW,
              forget: false,
              historyLimit: 100,
            }),
          );
          return { version, outcome };
        }),
      );
      const { entries, removed } = archiveOf((await readCluster(tables[0]!, 'one'))!.record);
      const known = new Set([...entries, ...removed.recent].map(({ version }) => version));
      const acknowledged = outcomes.filter(({ outcome }) => outcome === 'changed');
      const lost = acknowledged.filter(({ version }) => !known.has(version)).length;
      const title = `${WRITERS} writers of one cluster on DynamoDB Local`;
      return [
        { what: `${title}: acknowledged`, measured: acknowledged.length, unit: 'entries' },
        { what: `${title}: of these lost`, measured: lost, unit: 'entries', goal: 0 },
      ];
    } finally {
      await engine.close();
    }
  },
};

function tableAt(endpoint: string): Table {
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
  return { client: new DynamoDBClient({ endpoint, region: 'us-east-1', credentials }), name: 'cairn' };
}
