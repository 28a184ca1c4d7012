/**
 * What each folder may import. A name is a folder or a file without its ending, from the root of the project; `type` before
 * it allows types only. A folder may always import itself, and everything but the console may import `shared`. Rows of a
 * deeper folder replace those of the folder around it.
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  ...rowsOf('functions', {
    runtime: [],
    store: ['runtime'],
    outbound: ['runtime'],
    'command-line': ['runtime'],
    // The two types tie an endpoint to the schema of what it answers.
    http: ['runtime', 'type openapi/responses', 'type routes'],
    switches: ['runtime', 'store', 'http'],
    jobs: ['runtime', 'store', 'switches/store'],
    uploads: ['runtime', 'store', 'http'],
    documents: ['runtime', 'http', 'uploads/store'],
    releases: ['runtime', 'store', 'http/schema-fields'],
    graph: ['runtime', 'store', 'http', 'releases'],
    channels: ['runtime', 'store', 'http', 'releases'],
    versions: ['runtime', 'store', 'http', 'releases', 'channels/schema'],
    paths: ['runtime', 'store', 'http', 'releases'],
    site: ['runtime', 'http'],
    clusters: ['runtime', 'store', 'http', 'documents', 'uploads/store'],
    plans: ['runtime', 'store/table', 'http', 'documents', 'releases', 'paths', 'clusters', 'uploads/store'],
    'update-status': ['runtime', 'http', 'documents', 'uploads/store', 'clusters', 'store/table'],
    notifications: ['runtime', 'store', 'http', 'outbound', 'jobs/schema'],
    pruners: ['runtime', 'store', 'http', 'documents', 'jobs', 'switches', 'uploads/store'],
    'prune-runs': ['runtime', 'store', 'http', 'documents', 'jobs', 'switches', 'uploads/store', 'pruners'],
    'prune-evaluations': ['runtime', 'http', 'documents', 'uploads/store'],
    fleet: [
      'runtime',
      'store',
      'http',
      'jobs',
      'switches/store',
      'releases',
      'clusters',
      'plans',
      'notifications',
      'pruners',
    ],
    sync: ['runtime', 'store', 'http', 'jobs', 'switches/store', 'outbound', 'releases', 'channels/changes'],
    housekeeping: [
      'runtime',
      'store',
      'jobs',
      'switches/store',
      'releases',
      'clusters',
      'pruners',
      'prune-runs',
    ],
    openapi: [
      'runtime',
      'http',
      'routes',
      '*/routes',
      '*/schema',
      'plans/plan-schema',
      'prune-evaluations/images-schema',
    ],
    cli: [
      'runtime',
      'http',
      'outbound',
      'command-line',
      'documents',
      'releases',
      'store/keys',
      'store/publication-cache',
      'graph',
      'versions',
      'channels',
      'paths',
      'plans',
      'prune-evaluations',
      'update-status',
      'pruners',
      'clusters',
      'routes',
      'type uploads/store',
      'type site/schema',

      'type openapi/responses',
    ],
    console: ['type */schema', 'type plans/plan-schema', 'type openapi/responses', 'type site/routes'],
  }),
  // Entry points, apps and route lists know every feature.
  functions: ['functions'],

  ...rowsOf('shared', {
    collection: ['text'],
    text: ['collection'],
    time: ['collection', 'text'],
    json: ['collection', 'text', 'input'],
    version: ['collection', 'text'],
    input: ['text'],
    graph: ['version', 'collection', 'text', 'input', 'releases/channel', 'releases/values'],
    releases: ['version', 'collection', 'text', 'input', 'json'],
    path: ['version', 'collection', 'text', 'graph', 'releases'],
    cluster: [
      'version',
      'collection',
      'text',
      'time',
      'input',
      'json',
      'prune/history',
      // What is stored of updates.
      'update-status/runs/run',
    ],
    safety: ['version', 'collection', 'text', 'cluster', 'path', 'releases/values', 'releases/lifecycle'],
    plan: [
      'version',
      'collection',
      'text',
      'time',
      'cluster',
      'path',
      'safety',
      'releases/channel',
      'type releases/lifecycle',
    ],
    'update-status': [
      'version',
      'collection',
      'text',
      'cluster',
      'plan/duration',
      'type plan/pools',
      'type plan/words',
      'safety/evidence/pools',
    ],
    fleet: ['version', 'collection', 'text', 'graph', 'path', 'cluster', 'safety', 'plan', 'releases'],
    notifications: ['text', 'collection', 'version', 'time', 'fleet', 'prune/images/pruner'],
    prune: ['version', 'collection', 'text', 'time', 'input', 'json', 'cluster'],
    'prune/history': ['version', 'text', 'type cluster/facts'],
  }),

  'infra/aws': [
    'functions/runtime/env',
    'functions/runtime/names',
    'functions/store/keys',
    'functions/store/table',
    'functions/http/route',
    'functions/routes',
    'functions/releases/cache-headers',
    'functions/site/schema',
    'functions/outbound/egress',
    'infra/build/console',
  ],
  'infra/local': ['functions', 'infra/build/console', 'infra/aws/bundling'],
  'infra/build': ['functions/command-line', 'functions/runtime', 'type functions/site/page', 'infra/aws'],
};

/** Jobs run this code too: it throws `ExpectedError` and knows no HTTP, but for the fields that schemas share. */
export const WITHOUT_HTTP: readonly string[] = ['releases', 'plans/plan-upgrade', '*/store'];

function rowsOf(
  top: string,
  rows: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> {
  const named = (name: string) => name.replace(/^(type )?/, `$1${top}/`);
  return Object.fromEntries(
    Object.entries(rows).map(([folder, allowed]) => [`${top}/${folder}`, allowed.map(named)]),
  );
}
