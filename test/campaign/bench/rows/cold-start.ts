import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { marshall } from '@aws-sdk/util-dynamodb';
import { combineReleaseConfig, type ReleaseConfig } from '@cairn/shared/releases/sources';
import { buildSync } from 'esbuild';
import { ENV } from '../../../../functions/runtime/env.ts';
import { PUBLICATION_NAME, headKey, publicationPartition } from '../../../../functions/store/keys.ts';
import { bundle, BUNDLE_OPTIONS } from '../../../../infra/aws/bundling/options.ts';
import type { EngineEndpoints } from '../../../../infra/local/engines.ts';
import { DEFAULT_RELEASES } from '../../../../infra/local/upstream.ts';
import type { ChannelSet } from '../channel-set.ts';
import { medianRatio } from '../interleave.ts';
import { ratio, type Row } from '../row.ts';
import { startSyncScenario } from '../sync-scenario.ts';

const ROUNDS = 21;
const GOAL = 4;
const QUERY = 'query/index.mjs';
const runFile = promisify(execFile);

/**
 * CPU time of a cold query function, against the least code that can read the table: each in fresh processes, with
 * the table of the shipped configuration. Starting Node itself is in neither.
 */
export function coldStart(channels: ChannelSet): Row {
  return {
    name: `cold start of query, ${channels.name}`,
    async run(folder) {
      const scenario = await startSyncScenario(join(folder, 'data'), channels, shippedConfig());
      try {
        await scenario.sync();
        const sides = buildSides(folder, scenario.endpoints);
        const measured = await medianRatio(sides.query, sides.read, ROUNDS);
        // Writes the cache that the measured ones find.
        await sides.cachedQuery();
        const measuredCached = await medianRatio(sides.cachedQuery, sides.read, ROUNDS);
        const kilobytes = Math.round(statSync(join(folder, QUERY)).size / 1000);
        const title = `import + first read of query (${kilobytes} kB; ${channels.name}, shipped configuration)`;
        const against = 'hand-signed GetItem';
        return [
          ratio(`${title} / ${against}`, measured, GOAL),
          ratio(`${title} with a warm compile cache / ${against}`, measuredCached),
        ];
      } finally {
        await scenario.close();
      }
    },
  };
}

function buildSides(folder: string, endpoints: EngineEndpoints) {
  bundle('query', join(folder, 'query'));
  const tool = (name: string) => fileURLToPath(new URL(`../cold-start/${name}.ts`, import.meta.url));
  buildSync({
    ...BUNDLE_OPTIONS,
    // Each is one file.
    splitting: false,
    entryPoints: [tool('probe'), tool('signed-read')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
  });
  const bundleUrl = (file: string) => pathToFileURL(join(folder, file)).href;
  const probe = (file: string, event: unknown, environment: Readonly<Record<string, string>>) => async () => {
    const { stdout } = await runFile(
      process.execPath,
      [join(folder, 'probe.mjs'), bundleUrl(file), JSON.stringify(event)],
      { env: environment },
    );
    const { cpuMs, statusCode, body } = JSON.parse(stdout) as {
      cpuMs: number;
      statusCode: number;
      body: string;
    };
    if (statusCode !== 200 || Object.keys((JSON.parse(body) as object | null) ?? {}).length === 0) {
      throw new Error(`${file} answered ${statusCode} ${body.slice(0, 300)}`);
    }
    return cpuMs;
  };
  const environment = lambdaEnvironment(folder, endpoints);
  const read = {
    TableName: endpoints.table,
    Key: marshall(headKey(publicationPartition(PUBLICATION_NAME.catalogue))),
  };
  return {
    read: probe('signed-read.mjs', { input: read }, environment),
    query: probe(QUERY, LIST_VERSIONS, environment),
    cachedQuery: probe(QUERY, LIST_VERSIONS, {
      ...environment,
      NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
    }),
  };
}

/** What the functions find on Lambda, and nothing of this machine: no profile, no options of Node. */
function lambdaEnvironment(folder: string, endpoints: EngineEndpoints): Record<string, string> {
  return {
    HOME: folder,
    AWS_REGION: endpoints.region,
    AWS_ACCESS_KEY_ID: endpoints.accessKeyId,
    AWS_SECRET_ACCESS_KEY: endpoints.secretAccessKey,
    AWS_SESSION_TOKEN: 'bench',
    AWS_LAMBDA_FUNCTION_NAME: 'query',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    [ENV.tableName]: endpoints.table,
    [ENV.syncIntervalMinutes]: '10',
    [ENV.retirementGraceDays]: '14',
  };
}

/** `GET /v2/openshift-versions?only_latest=true` as API Gateway hands it over. */
const LIST_VERSIONS = {
  version: '2.0',
  routeKey: 'GET /v2/openshift-versions',
  rawPath: '/v2/openshift-versions',
  rawQueryString: 'only_latest=true',
  headers: { accept: '*/*', host: 'example.com' },
  queryStringParameters: { only_latest: 'true' },
  pathParameters: {},
  isBase64Encoded: false,
  requestContext: { requestId: 'bench', http: { method: 'GET', path: '/v2/openshift-versions' } },
};

function shippedConfig(): ReleaseConfig {
  const reading = combineReleaseConfig({ file: readFileSync(DEFAULT_RELEASES, 'utf8') });
  if (!reading.ok) throw new Error(`not a configuration: ${JSON.stringify(reading.mistakes)}`);
  return reading.config;
}
