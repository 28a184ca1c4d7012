import { createQueryApp } from './query-app.ts';
import { ENV, optionalEnv, requireEnv } from './runtime/env.ts';
import type { SignIn } from './site/schema.ts';
import { createTableClient } from './store/client.ts';

const environment = requireEnv([ENV.tableName, ENV.syncIntervalMinutes, ENV.retirementGraceDays]);
const { [ENV.signIn]: signIn } = optionalEnv([ENV.signIn]);

export const handler = createQueryApp({
  table: { client: createTableClient(4), name: environment[ENV.tableName] },
  sync: {
    intervalMs: Number(environment[ENV.syncIntervalMinutes]) * 60_000,
    retirementGraceMs: Number(environment[ENV.retirementGraceDays]) * 24 * 3600_000,
  },
  consoleFolder: `${import.meta.dirname}/console`,
  ...(signIn !== undefined && { signIn: JSON.parse(signIn) as SignIn }),
});
