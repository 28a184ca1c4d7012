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
   * Files copied beside the bundle.
   * @default none
   */
  readonly files?: readonly string[];
  /**
   * Creates more files beside the bundle.
   * @default none
   */
  readonly addFiles?: (outdir: string) => void;
}

/** Allowed partitions per operation: exact keys, or prefixes that end with `#`. */
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
  /** `GetObject` */
  readonly operations: readonly string[];
  /**
   * Also grant listing, so that a missing object returns 404.
   * @default false
   */
  readonly list?: boolean;
}

/**
 * Lambda function whose role can only write its own log. Each `bind…` sets the variable of a resource together with its
 * exact permissions, so that neither exists without the other.
 */
export class NodeFunction extends Function {
  constructor(scope: Construct, id: string, props: NodeFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // The default role of CDK has a managed policy with rights on every log group of the account.
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

  bindLists(table: TableReference, lists: readonly string[]): void {
    this.#grantPartitions('Query', `${table.tableArn}/index/${TABLE.index.name}`, lists);
  }

  #grantPartitions(operation: string, arn: string, partitions: readonly string[]): void {
    const keys = partitions.map((partition) => (partition.endsWith('#') ? `${partition}*` : partition));
    this.allow([`dynamodb:${operation}`], arn, {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
    });
  }

  /** Limited to objects below `prefix`, such as `archive/`. */
  bindBucket(bucket: Bucket, { prefix, operations, list = false }: BucketAccess): void {
    this.addEnvironment(ENV.bucketName, bucket.bucketName);
    this.allow(
      operations.map((operation) => `s3:${operation}`),
      bucket.arnForObjects(`${prefix}*`),
    );
    if (list) {
      // S3 checks this right without a prefix before it reports a missing object.
      this.allow(['s3:ListBucket'], bucket.bucketArn, {
        StringLikeIfExists: { 's3:prefix': `${prefix}*` },
      });
    }
    const bucketId = Stack.of(this).getLogicalId(bucket.node.defaultChild as CfnElement);
    this.acknowledgeWildcard(
      `<${bucketId}.Arn>/${prefix}*`,
      `it names new objects itself, only below ${prefix} and only for ${operations.join(', ')}`,
    );
  }

  bindEventBus(bus: EventBus): void {
    this.addEnvironment(ENV.eventBusName, bus.eventBusName);
    this.allow(['events:PutEvents'], bus.eventBusArn);
  }

  allow(actions: string[], resource: string, conditions?: Record<string, object>): void {
    const statement = { actions, resources: [resource], ...(conditions && { conditions }) };
    this.addToRolePolicy(new PolicyStatement(statement));
  }

  /** Documents why a wildcard of the role is as narrow as possible; `pattern` as cdk-nag prints it. */
  acknowledgeWildcard(pattern: string, reason: string): void {
    if (this.role)
      Validations.of(this.role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${pattern}]`, reason });
  }
}

/** Not NodejsFunction: one set of options for stack and tests, and no shell, so it works on Windows. */
function bundledCode({ name, files = [], addFiles }: NodeFunctionProps): Code {
  return Code.fromAsset(PROJECT_ROOT, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never used: `local` always succeeds or throws.
      image: DockerImage.fromRegistry('none'),
      // Distinguishes the assets: CDK bundles equal source and command only once.
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
