import { copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  AssetHashType,
  type CfnElement,
  DockerImage,
  type Duration,
  RemovalPolicy,
  Stack,
  Validations,
} from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { ENV } from '../../functions/runtime/env.ts';
import { TABLE } from '../../functions/store/table.ts';
import { ENTRY_POINTS, type FunctionName, PROJECT_ROOT, bundle } from './bundling/options.ts';
import type { TableReference } from './storage.ts';

interface NodeFunctionProps {
  readonly name: FunctionName;
  readonly description: string;
  readonly memorySize: number;
  readonly timeout: Duration;
  readonly logRetention: RetentionDays;
  readonly environment?: Record<string, string>;
  /**
   * Files that are put beside the bundle under their own name.
   * @default none
   */
  readonly files?: readonly string[];
  /**
   * Makes more files beside the bundle.
   * @default none
   */
  readonly addFiles?: (outdir: string) => void;
}

/** The partitions that an operation may reach: the key is one of these, or begins with it when it ends in `#`. */
type TableAccess = Readonly<
  Partial<
    Record<
      'GetItem' | 'BatchGetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'BatchWriteItem',
      readonly string[]
    >
  >
>;

interface BucketAccess {
  readonly prefix: string;
  /** Operations of S3 on objects by name: `GetObject`. */
  readonly operations: readonly string[];
  /**
   * Whether it may also list them, and so be told that one is not there.
   * @default false
   */
  readonly list?: boolean;
}

/**
 * The one kind of Lambda here. Its role may write its own log and nothing else; each `bind…` sets the variable that
 * names a resource together with the exact rights on it, so that neither can be there without the other.
 */
export class NodeFunction extends Function {
  constructor(scope: Construct, id: string, props: NodeFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // An own role: the one CDK would make carries a managed policy with rights on every log group of the account.
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    super(scope, id, {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: bundledCode(props),
      memorySize: props.memorySize,
      timeout: props.timeout,
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      role,
      ...(props.environment && { environment: props.environment }),
    });
  }

  bindTable(table: TableReference, access: TableAccess): void {
    this.addEnvironment(ENV.tableName, table.tableName);
    for (const [operation, partitions] of Object.entries(access)) {
      this.#grantPartitions(operation, table.tableArn, partitions);
    }
  }

  /** Lets it read these lists of the index. */
  bindLists(table: TableReference, lists: readonly string[]): void {
    this.#grantPartitions('Query', `${table.tableArn}/index/${TABLE.index.name}`, lists);
  }

  #grantPartitions(operation: string, arn: string, partitions: readonly string[]): void {
    const keys = partitions.map((partition) => (partition.endsWith('#') ? `${partition}*` : partition));
    this.addToRolePolicy(
      new PolicyStatement({
        actions: [`dynamodb:${operation}`],
        resources: [arn],
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } },
      }),
    );
  }

  /** For objects below `prefix`, such as `archive/`, and no others. */
  bindBucket(bucket: Bucket, { prefix, operations, list = false }: BucketAccess): void {
    this.addEnvironment(ENV.bucketName, bucket.bucketName);
    this.addToRolePolicy(
      new PolicyStatement({
        actions: operations.map((operation) => `s3:${operation}`),
        resources: [bucket.arnForObjects(`${prefix}*`)],
      }),
    );
    if (list) {
      this.addToRolePolicy(
        new PolicyStatement({
          actions: ['s3:ListBucket'],
          resources: [bucket.bucketArn],
          // S3 looks for this right without a prefix before it says that an object is not there.
          conditions: { StringLikeIfExists: { 's3:prefix': `${prefix}*` } },
        }),
      );
    }
    const bucketId = Stack.of(this).getLogicalId(bucket.node.defaultChild as CfnElement);
    this.acknowledgeWildcard(
      `<${bucketId}.Arn>/${prefix}*`,
      `it names new objects itself, only below ${prefix} and only for ${operations.join(', ')}`,
    );
  }

  bindEventBus(bus: EventBus): void {
    this.addEnvironment(ENV.eventBusName, bus.eventBusName);
    this.addToRolePolicy(
      new PolicyStatement({ actions: ['events:PutEvents'], resources: [bus.eventBusArn] }),
    );
  }

  /** Says why a resource pattern of its role is as narrow as can be; `pattern` as cdk-nag prints it. */
  acknowledgeWildcard(pattern: string, reason: string): void {
    if (this.role)
      Validations.of(this.role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${pattern}]`, reason });
  }
}

/**
 * Bundled in this process by the same call as in the tests, instead of NodejsFunction's command line: no second
 * spelling of the options that could drift, and no shell, so that it is the same on Windows.
 */
function bundledCode({ name, files = [], addFiles }: NodeFunctionProps): Code {
  return Code.fromAsset(PROJECT_ROOT, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never run, as `local` always succeeds or throws.
      image: DockerImage.fromRegistry('none'),
      // Tells the assets apart: CDK bundles only once what has the same source and the same command.
      command: [ENTRY_POINTS[name], ...files],
      local: {
        tryBundle(outdir: string): boolean {
          bundle(name, outdir);
          for (const file of files) copyFileSync(file, join(outdir, basename(file)));
          addFiles?.(outdir);
          return true;
        },
      },
    },
  });
}
