import { Aws, CfnOutput } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import type { AccessSettings } from './settings/settings.ts';

/** All that the stack tells about itself. What the settings do not ask for has no value and is left out. */
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

/**
 * Tells each value twice, from the one list: as an output of the stack, and as a parameter of SSM below its name
 * (`/Cairn/api-url`), for those who work with Terraform or scripts.
 */
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
        // It begins with the name of the stack, which is known only when it is deployed.
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

/** A command that a person can paste, with what the routes of release data ask for. */
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
