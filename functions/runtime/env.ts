/** The environment variables of each function: infra sets them under these names, nothing else reads `process.env`. */
export const ENV = {
  /** What logs and metrics of a job say they are of: the name of the stack. */
  serviceName: 'SERVICE_NAME',
  tableName: 'TABLE_NAME',
  bucketName: 'BUCKET_NAME',
  graphUrl: 'GRAPH_URL',
  payloadHosts: 'PAYLOAD_HOSTS',
  releasesFile: 'RELEASES_FILE',
  syncIntervalMinutes: 'SYNC_INTERVAL_MINUTES',
  retirementGraceDays: 'RETIREMENT_GRACE_DAYS',
  historyLimit: 'HISTORY_LIMIT',
  /** How people sign in to the console, as `GET /sign-in.json` answers it; not set where they paste a token. */
  signIn: 'SIGN_IN',
  eventBusName: 'EVENT_BUS_NAME',
  syncFunctionArn: 'SYNC_FUNCTION_ARN',
  schedulerRoleArn: 'SCHEDULER_ROLE_ARN',
  scheduleGroup: 'SCHEDULE_GROUP',
  deliveryQueueArn: 'DELIVERY_QUEUE_ARN',
  /** For how long nobody is told twice of the same topic of a cluster. */
  newsWindowHours: 'NEWS_WINDOW_HOURS',
  /** When more clusters than this have news at once, people get a digest. */
  digestAbove: 'DIGEST_ABOVE',
  /** Buckets that pruners may work in: `[{"bucket": "…", "prefix": "…"}]`; not set where there are none. */
  registryBuckets: 'REGISTRY_BUCKETS',
  prunerFunctionArn: 'PRUNER_FUNCTION_ARN',
  /** With which the schedules of pruners start it. */
  prunerRoleArn: 'PRUNER_ROLE_ARN',
  /** `true` lets the upstream be on this machine, over plain http. No deployment sets it. */
  localUpstream: 'LOCAL_UPSTREAM',
} as const;

/** The variables of assisted-service that are accepted beside the releases file. */
export const PEER_VARIABLES = [
  'RELEASE_SOURCES',
  'DYNAMIC_OPENSHIFT_RELEASES_CONFIG',
  'RELEASE_IMAGES',
  'IGNORED_OPENSHIFT_VERSIONS',
] as const;

export type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the named variables; all that are missing are told in one message, so that a deployment is mended once. */
export function requireEnv<Name extends string>(
  names: readonly Name[],
  environment: Variables = process.env,
): Record<Name, string> {
  const missing = names.filter((name) => !environment[name]);
  if (missing.length > 0) throw new Error(`environment variables not set: ${missing.join(', ')}`);
  return Object.fromEntries(names.map((name) => [name, environment[name]])) as Record<Name, string>;
}

export function optionalEnv<Name extends string>(
  names: readonly Name[],
  environment: Variables = process.env,
): Partial<Record<Name, string>> {
  const set = names.filter((name) => environment[name]);
  return Object.fromEntries(set.map((name) => [name, environment[name]])) as Partial<Record<Name, string>>;
}

/** For a program on somebody's machine, which reads what others have set for others as well. */
export function allVariables(): Variables {
  return process.env;
}
