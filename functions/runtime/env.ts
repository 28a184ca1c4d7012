/** Environment variables of each function: infra sets these names, and nothing else reads `process.env`. */
export const ENV = {
  /** Stack name in the logs and metrics of a job. */
  serviceName: 'SERVICE_NAME',
  tableName: 'TABLE_NAME',
  bucketName: 'BUCKET_NAME',
  graphUrl: 'GRAPH_URL',
  payloadHosts: 'PAYLOAD_HOSTS',
  releasesFile: 'RELEASES_FILE',
  syncIntervalMinutes: 'SYNC_INTERVAL_MINUTES',
  retirementGraceDays: 'RETIREMENT_GRACE_DAYS',
  /** Extended Update Support terms of the clusters. */
  eusTerms: 'EUS_TERMS',
  historyLimit: 'HISTORY_LIMIT',
  /** Console sign-in settings, as `GET /sign-in.json` returns them; unset if users paste a token. */
  signIn: 'SIGN_IN',
  eventBusName: 'EVENT_BUS_NAME',
  syncFunctionArn: 'SYNC_FUNCTION_ARN',
  schedulerRoleArn: 'SCHEDULER_ROLE_ARN',
  scheduleGroup: 'SCHEDULE_GROUP',
  deliveryQueueArn: 'DELIVERY_QUEUE_ARN',
  /** Period without a repeated notification for the same topic of a cluster. */
  newsWindowHours: 'NEWS_WINDOW_HOURS',
  /** Clusters with notifications above which one digest is sent. */
  digestAbove: 'DIGEST_ABOVE',
  /** Minutes without progress: `{"operators": 30, …}`; unset for the defaults. */
  stalledAfter: 'STALLED_AFTER_MINUTES',
  /** Buckets that pruners may use: `[{"bucket": "…", "prefix": "…"}]`; unset if there are none. */
  registryBuckets: 'REGISTRY_BUCKETS',
  prunerFunctionArn: 'PRUNER_FUNCTION_ARN',
  /** Role of the pruner schedules. */
  prunerRoleArn: 'PRUNER_ROLE_ARN',
  /** `true` allows an upstream on this machine over plain HTTP. No deployment sets it. */
  localUpstream: 'LOCAL_UPSTREAM',
} as const;

/** assisted-service variables that are accepted beside the releases file. */
export const PEER_VARIABLES = [
  'RELEASE_SOURCES',
  'DYNAMIC_OPENSHIFT_RELEASES_CONFIG',
  'RELEASE_IMAGES',
  'IGNORED_OPENSHIFT_VERSIONS',
] as const;

export type Variables = Readonly<Record<string, string | undefined>>;

/** Reports all missing variables in one message. */
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

/** For a program on a user's machine, which also reads variables of other tools. */
export function allVariables(): Variables {
  return process.env;
}
