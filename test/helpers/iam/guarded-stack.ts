import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import type { Table } from '../../../functions/store/table.ts';
import { startBucketServer } from '../../../infra/local/s3/server.ts';
import { type AwsStub, startAwsStub } from '../lambda/aws-stub.ts';
import { type HeldSchedules, heldSchedules } from '../lambda/held-schedules.ts';
import { type Lambda, type LambdaOptions, startLambda } from '../lambda/lambda-host.ts';
import type { Listening } from '../listen.ts';
import { newTable, tableEngines } from '../table/table.ts';
import { type ReadTemplate } from '../template/template.ts';
import { type CincinnatiStub, startCincinnatiStub, type StubSource } from '../upstream/cincinnati-stub.ts';
import type { GuardedService } from './asked-request.ts';
import { bucketService } from './bucket-service.ts';
import { eventService, schedulerService } from './event-services.ts';
import { startPolicyGuard } from './policy-guard.ts';
import { RolePolicy, type RoleStatement } from './role-policy.ts';
import { isConditionalWrite, tableService } from './table-service.ts';
import { TemplateNames } from './template-names.ts';

/** Construct paths of the functions. */
export const FUNCTIONS = {
  query: 'Query',
  manage: 'Manage',
  'sync-releases': 'SyncReleases',
  watch: 'Watch',
  'follow-fleet': 'FollowFleet',
  'run-pruner': 'Pruning/RunPruner',
} as const;
export type FunctionName = keyof typeof FUNCTIONS;

export const NAMES = { bucket: 'archive', registry: 'registry' } as const;
const CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'test' } as const;

export interface ScheduleTarget {
  readonly Arn: string;
  readonly RoleArn: string;
  readonly DeadLetterConfig: { readonly Arn: string };
}

export interface GuardedStack {
  readonly table: Table;
  /** Behind the guards. */
  readonly s3: S3Client;
  readonly schedules: HeldSchedules;
  readonly eventBridge: AwsStub;
  readonly upstream: CincinnatiStub;
  /** Every rejected request of any role. */
  readonly denials: string[];
  readonly policies: Readonly<Record<FunctionName, RolePolicy>>;
  /** Statements of the role at a path such as `Pruning/Role`, with the names of this stack. */
  statementsAt(path: string): readonly RoleStatement[];
  roleArnAt(path: string): string;
  /** Targets of all current schedules, from the template or created later. */
  scheduleTargets(): readonly ScheduleTarget[];
  /** Service URLs behind the guards of a role. */
  guard(name: string, policy: RolePolicy): Promise<Readonly<Record<string, string>>>;
  /** Starts a function with its template variables, behind the guards of its role or of another policy. */
  start(name: FunctionName, options?: Partial<LambdaOptions>, policy?: RolePolicy): Promise<Lambda>;
  /** Sets the sources that the next start of the sync follows. */
  configure(releases: object): void;
  setVersioning(Status: 'Enabled' | 'Suspended'): Promise<void>;
  close(): Promise<void>;
}

/** Runs the functions of a synthesized stack on real engines, each with the permissions of its role. */
export async function startGuardedStack(options: {
  readonly template: ReadTemplate;
  /** Output folder of the synthesis, with bundles. */
  readonly outdir: string;
  /** Folder for the engines. */
  readonly dir: string;
  readonly source: StubSource;
}): Promise<GuardedStack> {
  const { template } = options;
  const [table, upstream, eventBridge, scheduler, bucketServer] = await Promise.all([
    newTable(),
    startCincinnatiStub(options.source),
    startAwsStub(),
    startAwsStub(),
    startBucketServer({ dir: options.dir, host: '127.0.0.1', port: 0, region: 'us-east-1', ...CREDENTIALS }),
  ]);
  const names = new TemplateNames(template.resources, {
    [template.idOf('Table')]: table.name,
    [template.idOf('Bucket')]: NAMES.bucket,
  });
  const environments = Object.fromEntries(
    Object.entries(FUNCTIONS).map(([name, path]) => [
      name,
      names.resolve(template.resource(path).Properties.Environment.Variables) as Record<string, string>,
    ]),
  );
  const statementsAt = (path: string) =>
    names.resolve(template.statementsOf(template.idOf(path))) as RoleStatement[];
  const policyOf = (name: FunctionName) => new RolePolicy(statementsAt(`${FUNCTIONS[name]}Role`));
  const policies: GuardedStack['policies'] = {
    query: policyOf('query'),
    manage: policyOf('manage'),
    'sync-releases': policyOf('sync-releases'),
    watch: policyOf('watch'),
    'follow-fleet': policyOf('follow-fleet'),
    'run-pruner': policyOf('run-pruner'),
  };

  const schedules = heldSchedules(environments['manage']!['SCHEDULE_GROUP']!);
  scheduler.answerBy(schedules.reply);
  eventBridge.answerBy(({ body }) => {
    const Entries = (body['Entries'] as readonly unknown[]).map((_, index) => ({ EventId: String(index) }));
    return { status: 200, body: { FailedEntryCount: 0, Entries } };
  });
  const s3 = new S3Client({
    endpoint: bucketServer.url,
    region: 'us-east-1',
    credentials: CREDENTIALS,
    forcePathStyle: true,
  });
  for (const Bucket of Object.values(NAMES)) await s3.send(new CreateBucketCommand({ Bucket }));

  const denials: string[] = [];
  const guards: Listening[] = [];
  const lambdas: Lambda[] = [];
  const services: Readonly<Record<string, readonly [GuardedService, string]>> = {
    DYNAMODB: [tableService, tableEngines[0]!.url],
    S3: [bucketService, bucketServer.url],
    EVENTBRIDGE: [eventService, eventBridge.url],
    SCHEDULER: [schedulerService, scheduler.url],
  };
  const bundleDirOf = (name: FunctionName) =>
    join(options.outdir, template.resource(FUNCTIONS[name]).Metadata['aws:asset:path']);

  const stack: GuardedStack = {
    table,
    s3,
    schedules,
    eventBridge,
    upstream,
    denials,
    policies,
    statementsAt,
    roleArnAt: (path) => names.arnOf(template.idOf(path)),
    scheduleTargets() {
      const ofTemplate = template
        .ofType('AWS::Scheduler::Schedule')
        .map(({ properties }) => properties.Target);
      const made = [...schedules.byName.values()].map(({ Target }) => Target);
      return names.resolve([...ofTemplate, ...made]) as ScheduleTarget[];
    },
    async guard(name, policy) {
      const onDenial = (denial: string) => denials.push(`${name}: ${denial}`);
      const urls = await Promise.all(
        Object.entries(services).map(async ([key, [service, target]]) => {
          // Repeats every conditional write: some permissions are needed only after a lost response.
          const repeats = service === tableService ? isConditionalWrite : () => false;
          const guard = await startPolicyGuard({ target, service, policy, onDenial, repeats });
          guards.push(guard);
          return [`AWS_ENDPOINT_URL_${key}`, guard.url] as const;
        }),
      );
      return Object.fromEntries(urls);
    },
    async start(name, lambdaOptions = {}, policy = policies[name]) {
      const lambda = await startLambda({
        bundleDir: bundleDirOf(name),
        environment: {
          AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
          AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
          ...environments[name],
          // Tests must not call the public service.
          ...(name === 'sync-releases' && { GRAPH_URL: upstream.url, LOCAL_UPSTREAM: 'true' }),
          // Tests must not post to an external webhook.
          ...(name === 'follow-fleet' && { LOCAL_UPSTREAM: 'true' }),
          ...(await stack.guard(name, policy)),
        },
        timeoutMs: template.resource(FUNCTIONS[name]).Properties.Timeout * 1000,
        ...lambdaOptions,
      });
      lambdas.push(lambda);
      return lambda;
    },
    configure(releases) {
      writeFileSync(join(bundleDirOf('sync-releases'), 'releases.json'), JSON.stringify(releases));
    },
    async setVersioning(Status) {
      const VersioningConfiguration = { Status };
      await s3.send(new PutBucketVersioningCommand({ Bucket: NAMES.registry, VersioningConfiguration }));
    },
    async close() {
      await Promise.all(lambdas.map((lambda) => lambda.stop()));
      const servers = [...guards, upstream, eventBridge, scheduler, bucketServer];
      await Promise.all(servers.map((server) => server.close()));
    },
  };
  await stack.setVersioning('Enabled');
  return stack;
}
