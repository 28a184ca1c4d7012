import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Lambda, type LambdaOptions, startLambda } from '../../helpers/lambda/lambda-host.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

async function lambdaOf(source: string, options: Partial<LambdaOptions> = {}): Promise<Lambda> {
  const bundleDir = mkdtempSync(join(tmpdir(), 'cairn-lambda-'));
  cleanUp.push(() => rmSync(bundleDir, { recursive: true, force: true }));
  writeFileSync(join(bundleDir, 'index.mjs'), source);
  const lambda = await startLambda({ bundleDir, ...options });
  cleanUp.push(() => lambda.stop());
  return lambda;
}

describe('the Lambda host', () => {
  it('runs a handler with its event, context and environment, and keeps the process between calls', async () => {
    const lambda = await lambdaOf(
      `let calls = 0;
       export const handler = async (event, context) => {
         console.info('called', event.n);
         return { n: event.n, calls: ++calls, left: context.getRemainingTimeInMillis() > 0, table: process.env.TABLE_NAME, home: process.env.HOME };
       };`,
      { environment: { TABLE_NAME: 'things' } },
    );
    expect(await lambda.invoke({ n: 1 })).toEqual({
      ok: true,
      payload: { n: 1, calls: 1, left: true, table: 'things' },
    });
    expect(await lambda.invoke({ n: 2 })).toMatchObject({ ok: true, payload: { n: 2, calls: 2 } });
    await expect.poll(() => lambda.logs()).toContain('called');
  });

  it('hands over what the handler throws, and goes on', async () => {
    const lambda = await lambdaOf(
      `export const handler = async (event) => { if (event.bad) throw new RangeError('too far'); return 'fine'; };`,
    );
    expect(await lambda.invoke({ bad: true })).toMatchObject({
      ok: false,
      error: { errorType: 'RangeError', errorMessage: 'too far' },
    });
    expect(await lambda.invoke({})).toEqual({ ok: true, payload: 'fine' });
  });

  it('hands over what the module throws while it loads', async () => {
    const lambda = await lambdaOf(`throw new Error('no table'); export const handler = 1;`);
    expect(await lambda.invoke({})).toMatchObject({ ok: false, error: { errorMessage: 'no table' } });
  });

  it('reports that the process ended by itself', async () => {
    const lambda = await lambdaOf(`export const handler = async () => process.exit(3);`);
    expect(await lambda.invoke({})).toEqual({
      ok: false,
      error: { errorType: 'Runtime.ExitError', errorMessage: 'the process ended with 3' },
    });
  });

  it('kills what passes its deadline, and starts afresh', async () => {
    const lambda = await lambdaOf(
      `let calls = 0;
       export const handler = async (event) => { calls++; while (event.hang); return calls; };`,
      { timeoutMs: 2000 },
    );
    expect(await lambda.invoke({ hang: true })).toMatchObject({
      ok: false,
      error: { errorType: 'Sandbox.Timedout' },
    });
    expect(await lambda.invoke({})).toEqual({ ok: true, payload: 1 });
  });

  it('serves as many calls at once as it has processes, and lets the others wait', async () => {
    const lambda = await lambdaOf(`export const handler = async () => process.pid;`, { concurrency: 2 });
    const results = await Promise.all([1, 2, 3, 4].map((n) => lambda.invoke(n)));
    expect(results.every((result) => result.ok)).toBe(true);
    expect(new Set(results.map((result) => result.ok && result.payload)).size).toBe(2);
  });

  it('ends a running call when it is stopped', async () => {
    const lambda = await lambdaOf(
      `export const handler = () => new Promise(() => setInterval(() => {}, 1e6));`,
    );
    const pending = lambda.invoke({});
    await lambda.stop();
    expect(await pending).toMatchObject({ ok: false, error: { errorType: 'Sandbox.Stopped' } });
  });
});
