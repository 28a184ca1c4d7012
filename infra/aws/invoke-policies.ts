import { Aws, Stack, Validations } from 'aws-cdk-lib';
import type { CfnApi, HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { type Route, routeKey } from '../../functions/http/route.ts';
import { servedRoutes } from '../../functions/routes.ts';
import { type Level, reaches } from './http-api.ts';

const DESCRIPTIONS: Readonly<Record<Level, string>> = {
  read: 'Read everything that Cairn serves',
  write: 'Read everything, report clusters and change pruners',
  admin: 'Everything: also start runs and use the switches',
};

/** One policy per level, for roles that call the API with signed requests. */
export class InvokePolicies extends Construct {
  readonly arns: Readonly<Record<Level, string>>;

  constructor(scope: Construct, id: string, api: HttpApi) {
    super(scope, id);
    const stack = Stack.of(this);
    const apiLogicalId = stack.getLogicalId(api.node.defaultChild as CfnApi);
    const create = (level: Level): string => {
      const patterns = invokePatterns(level, servedRoutes);
      const resources = patterns.map((pattern) =>
        stack.formatArn({
          service: 'execute-api',
          resource: api.apiId,
          resourceName: `$default/${pattern}`,
        }),
      );
      const policy = new ManagedPolicy(this, level, {
        managedPolicyName: `${Aws.STACK_NAME}-${level}`,
        description: DESCRIPTIONS[level],
        statements: [new PolicyStatement({ actions: ['execute-api:Invoke'], resources })],
      });
      const invoked = `arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<${apiLogicalId}>/$default`;
      for (const pattern of patterns.filter((text) => text.includes('*'))) {
        Validations.of(policy).acknowledge({
          id: `AwsSolutions-IAM5[Resource::${invoked}/${pattern}]`,
          reason: 'a parameter of a path can be anything; no pattern reaches a route of a higher level',
        });
      }
      return policy.managedPolicyArn;
    };
    this.arns = { read: create('read'), write: create('write'), admin: create('admin') };
  }
}

/** Every reader may ask HEAD of every path. */
const EVERY_HEAD = 'HEAD/*';

/** `GET/v1/clusters/*`. A star matches slashes too; throws if it would reach a route of a higher level. */
export function invokePatterns(level: Level, list: readonly Route[]): string[] {
  const closed = list.filter(({ access }) => access !== 'open');
  const above = closed.filter(({ access }) => !reaches(level, access));
  const patterns = closed
    .filter(({ access }) => reaches(level, access))
    .map((route) => {
      const pattern = patternOf(route);
      const tooFar = above.find((higher) => doMeet(pattern, patternOf(higher)));
      if (tooFar === undefined) return pattern;
      throw new Error(
        `a policy for ${routeKey(route)} would also open ${routeKey(tooFar)}: choose other paths`,
      );
    });
  const distinct = [...new Set(patterns)];
  // Only what no other pattern opens, because a policy has room for 6,144 characters.
  return distinct.filter((pattern) => !distinct.some((other) => other !== pattern && covers(other, pattern)));
}

/** Every text of the narrow pattern matches the wide one. */
function covers(wide: string, narrow: string): boolean {
  const parts = wide.split('*').map((part) => part.replaceAll(/[^\w/]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(narrow);
}

function patternOf({ method, path }: Route): string {
  if (method === 'HEAD') return EVERY_HEAD;
  return `${method}${path.replaceAll(/\{\w+\}/g, '*')}`;
}

/** Some text matches both patterns; a star stands for any text, slashes too. */
export function doMeet(one: string, other: string): boolean {
  if (one === '' && other === '') return true;
  if (one.startsWith('*'))
    return doMeet(one.slice(1), other) || (other !== '' && doMeet(one, other.slice(1)));
  if (other.startsWith('*')) return doMeet(other, one);
  return one !== '' && one[0] === other[0] && doMeet(one.slice(1), other.slice(1));
}
