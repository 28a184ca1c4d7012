import { Aws, CfnOutput } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import type { AccessSettings } from './settings/settings.ts';

/** Outputs without a value are omitted. */
export const OUTPUTS = {
  ApiUrl: 'Where it answers; in a browser, the console',
  TryIt: 'A first request',
  ConsoleHint: 'How people get into the console',
  DomainTarget: 'What the record of the domain has to point to',
  CloudFrontUrl: 'Where clusters poll; CloudFront answers most of it',
  ReadPolicyArn: 'For roles that may read',
  WritePolicyArn: 'For roles that may report clusters and change pruners',
  AdminPolicyArn: 'For roles that may do everything',
  TableName: 'Holds everything that is served',
  BucketName: 'Holds every graph that was accepted',
  EventBusName: 'Tells what changed in channels, for clusters and pruners',
  NewsTopicArn: 'Tells people what changed for clusters and pruners',
  UndeliveredQueueUrl: 'Runs that could not be started',
  FailedRunQueueUrl: 'Runs that failed twice',
  PrunerRoleArn: 'The role that prunes registries',
  PageTopicArn: 'Gets the alarms that need somebody now',
  TicketTopicArn: 'Gets all other alarms',
  DashboardName: 'Everything on one page, in CloudWatch',
} as const;

type OutputName = keyof typeof OUTPUTS;

/** Writes each value as a stack output and as an SSM parameter (`/Cairn/api-url`) for Terraform and scripts. */
export class Outputs extends Construct {
  constructor(scope: Construct, id: string, values: Readonly<Partial<Record<OutputName, string>>>) {
    super(scope, id);
    for (const name of Object.keys(OUTPUTS) as OutputName[]) {
      const value = values[name];
      if (value === undefined) continue;
      const description = OUTPUTS[name];
      new CfnOutput(this, `${name}Output`, { description, value }).overrideLogicalId(name);
      new StringParameter(this, name, {
        parameterName: parameterName(name),
        description,
        stringValue: value,
        // The name starts with the stack name, which is known only at deployment.
        simpleName: false,
      });
    }
  }
}

/** `ApiUrl` → `/<stack>/api-url`. */
function parameterName(output: OutputName): string {
  const words = output.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
  return `/${Aws.STACK_NAME}/${words}`;
}

export function firstRequest(apiUrl: string, { publicReleaseData, jwt }: AccessSettings): string {
  const url = `${apiUrl}/v2/openshift-versions`;
  if (publicReleaseData === 'all') return `curl ${url}`;
  if (jwt) return `curl -H "Authorization: Bearer $TOKEN" ${url}`;
  return [
    `curl --aws-sigv4 aws:amz:${Aws.REGION}:execute-api`,
    '--user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY"',
    '-H "x-amz-security-token: $AWS_SESSION_TOKEN"',
    url,
  ].join(' ');
}
