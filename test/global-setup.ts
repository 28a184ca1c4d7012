import type { TestProject } from 'vitest/node';
import { missingJava, startDynalite, startDynamoDbLocal } from './helpers/table/table-engines.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URLs of the table engines that store tests run on. */
    tableEngines: { name: string; url: string }[];
  }
}

/** Both table engines once for the whole run; every test file makes tables of its own in them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dynalite = await startDynalite();
  const engines = [{ name: 'dynalite', ...dynalite }];
  const reason = missingJava();
  if (reason === null) engines.push({ name: 'DynamoDB Local', ...(await startDynamoDbLocal()) });
  else if (process.env['CI']) throw new Error(`CI needs DynamoDB Local: ${reason}`);
  else console.log(`store tests run on dynalite only: ${reason}`);
  project.provide(
    'tableEngines',
    engines.map(({ name, url }) => ({ name, url })),
  );
  return async () => {
    await Promise.all(engines.map((engine) => engine.close()));
  };
}
