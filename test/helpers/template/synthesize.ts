import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, type AppProps, type CfnElement } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { IConstruct } from 'constructs';
import { PROJECT_ROOT } from '../../../infra/aws/bundling/options.ts';
import { CairnStack } from '../../../infra/aws/cairn-stack.ts';
import { stackNameOf } from '../../../infra/aws/deployment.ts';
import { DEFAULT_SETTINGS, type DeploySettings } from '../../../infra/aws/settings.ts';

/** The feature flags `cdk` takes from cdk.json; without them another template comes out. */
const { context } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'cdk.json'), 'utf8')) as {
  context: Record<string, unknown>;
};

/** The stack as `cdk synth` would make it. */
export function createStack(appProps: AppProps, settings: Partial<DeploySettings> = {}): CairnStack {
  const app = new App({ ...appProps, context: { ...context, ...appProps.context } });
  const deployment = {
    settings: { ...DEFAULT_SETTINGS, ...settings },
    releasesFile: join(PROJECT_ROOT, 'infra/releases.json'),
  };
  return new CairnStack(app, stackNameOf(deployment.settings), { deployment });
}

/** Without its bundles, which take seconds and change nothing but the names of the assets. */
export function createStackWithoutBundles(settings: Partial<DeploySettings> = {}): CairnStack {
  return createStack({ context: { 'aws:cdk:bundling-stacks': [] } }, settings);
}

/** The template of a stack, by the paths of its constructs: `Query`, `Sync/Group`. */
export function readTemplate(stack: CairnStack) {
  const { Resources, Outputs } = Template.fromStack(stack).toJSON();
  const ofType = (type: string) =>
    Object.keys(Resources)
      .filter((id) => Resources[id].Type === type)
      .map((id) => ({ id, properties: Resources[id].Properties }));
  const idOf = (path: string): string => {
    const start: IConstruct = stack;
    const construct = path.split('/').reduce((parent, name) => parent.node.findChild(name), start);
    return stack.getLogicalId((construct.node.defaultChild ?? construct) as CfnElement);
  };
  return {
    resources: Resources as Record<string, { readonly Type: string; readonly Properties?: object }>,
    outputs: Outputs as Record<string, { readonly Value: unknown }>,
    ofType,
    idOf,
    resource: (path: string) => Resources[idOf(path)],
    arnOf: (path: string) => ({ 'Fn::GetAtt': [idOf(path), 'Arn'] }),
    output: (name: string) => Outputs[name].Value,
    /** Everything a role may do. */
    statementsOf: (roleId: string) =>
      ofType('AWS::IAM::Policy')
        .filter(({ properties }) => properties.Roles.some((role: { Ref: string }) => role.Ref === roleId))
        .flatMap(({ properties }) => properties.PolicyDocument.Statement),
  };
}

/** Every text at or below a value: the parts of a joined ARN as well as a plain one. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
