import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundle, ENTRY_POINTS, type FunctionName } from '../infra/aws/bundling/options.ts';
import { buildConsole } from '../infra/build/console.ts';
import { folderOnce, hashInputs, openBuildCache } from './helpers/build-cache.ts';
import { isThorough, leftToCi } from './helpers/size.ts';
import { missingJava, startDynalite, startDynamoDbLocal } from './helpers/table/table-engines.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URLs of the table engines that store tests run on. */
    tableEngines: { name: string; url: string }[];
    /** The folder with all that is built once per state of the sources. */
    builds: string;
  }
}

/** Builds once for the whole run, and starts the table engines; every test file makes tables of its own in them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const builds = openBuildCache(hashInputs());
  folderOnce(join(builds, 'bundles'), buildAll);
  project.provide('builds', builds);
  // Vitest calls this once, whatever projects it runs.
  const projects = new Set(project.vitest.projects.map(({ name }) => name));
  projects.delete('stateless');
  if (projects.size === 0) return async () => {};
  const engines = [{ name: 'dynalite', ...(await startDynalite()) }];
  if (projects.has('engine')) {
    const reason = leftToCi ?? missingJava();
    if (reason === null) engines.push({ name: 'DynamoDB Local', ...(await startDynamoDbLocal()) });
    else if (process.env['CI'] && isThorough) throw new Error(`CI needs DynamoDB Local: ${reason}`);
    else console.log(`store tests run on dynalite only: ${reason}`);
  }
  project.provide(
    'tableEngines',
    engines.map(({ name, url }) => ({ name, url })),
  );
  return async () => {
    await Promise.all(engines.map((engine) => engine.close()));
  };
}

function buildAll(folder: string): void {
  for (const name of Object.keys(ENTRY_POINTS) as FunctionName[]) {
    const metafile = bundle(name, join(folder, name));
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(metafile));
  }
  cpSync(join(folder, 'query'), join(folder, 'query-with-console'), { recursive: true });
  buildConsole(join(folder, 'query-with-console/console'));
}
