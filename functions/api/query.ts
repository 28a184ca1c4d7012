import { ENV, requireEnv } from '../runtime/env.ts';
import { createTableClient } from '../store/client.ts';
import { createQueryApp } from './query-app.ts';

const environment = requireEnv([ENV.tableName, ENV.syncIntervalMinutes, ENV.retirementGraceDays]);

export const handler = createQueryApp({
  table: { client: createTableClient(4), name: environment[ENV.tableName] },
  sync: {
    intervalMs: Number(environment[ENV.syncIntervalMinutes]) * 60_000,
    retirementGraceMs: Number(environment[ENV.retirementGraceDays]) * 24 * 3600_000,
  },
  consoleFolder: `${import.meta.dirname}/console`,
});
