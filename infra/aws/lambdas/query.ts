import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ENV } from '../../../functions/runtime/env.ts';
import { PARTITION_PREFIX } from '../../../functions/store/keys.ts';
import { buildConsole } from '../../build/console.ts';
import { consoleSignIn } from '../domain.ts';
import { NodeFunction } from '../node-function.ts';
import type { DeploySettings } from '../settings/settings.ts';
import type { Storage } from '../storage.ts';

const { syncState, watchState, document, change } = PARTITION_PREFIX;

export function queryFunction(
  scope: Construct,
  settings: DeploySettings,
  { table }: Pick<Storage, 'table'>,
): NodeFunction {
  const query = new NodeFunction(scope, 'Query', {
    name: 'query',
    description: 'Answers every route that only reads the table',
    // Cold starts are CPU-bound, and Lambda allocates CPU by memory.
    memorySize: 1024,
    timeout: Duration.seconds(10),
    logRetention: settings.logRetentionDays,
    addFiles: (outdir) => buildConsole(join(outdir, 'console')),
    environment: {
      [ENV.syncIntervalMinutes]: String(settings.syncIntervalMinutes),
      [ENV.retirementGraceDays]: String(settings.retirementGraceDays),
      [ENV.signIn]: JSON.stringify(consoleSignIn(settings.access)),
    },
  });
  query.bindTable(table, { GetItem: [syncState, watchState, document], Query: [document, change] });
  return query;
}
