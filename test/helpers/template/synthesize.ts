import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, type AppProps, CfnElement } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { PROJECT_ROOT } from '../../../infra/aws/bundling/options.ts';
import { CairnStack } from '../../../infra/aws/cairn-stack.ts';
import { stackNameOf } from '../../../infra/aws/deployment.ts';
import { DEFAULT_SETTINGS, type DeploySettings } from '../../../infra/aws/settings/settings.ts';
import { isThorough } from '../size.ts';

// oxlint-disable typescript/no-explicit-any -- properties of a template
interface Resource {
  readonly Type: string;
  readonly Properties?: any;
  readonly Metadata?: any;
}

export interface TemplateJson {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: any }>>;
  readonly Conditions?: Readonly<Record<string, any>>;
}

/** The parts of a stack that tests read, as JSON. */
export interface Synthesized {
  readonly stackName: string;
  readonly json: TemplateJson;
  /** Logical IDs by construct path: `Query`, `Sync/Group`. */
  readonly ids: Readonly<Record<string, string>>;
  /** Construct paths by logical ID. */
  readonly paths: Readonly<Record<string, string>>;
  /** CDK warnings. */
  readonly warnings: readonly unknown[];
  /** cdk-nag findings. */
  readonly violations: readonly { readonly ruleName: string; readonly constructs: readonly string[] }[];
}
// oxlint-enable typescript/no-explicit-any

/** Feature flags that `cdk` reads from cdk.json. The template differs without them. */
const { context } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'cdk.json'), 'utf8')) as {
  context: Record<string, unknown>;
};

// CDK's own validation only warns and takes four seconds per process. CI and `cdk synth` run it.
if (!isThorough) process.env['CDK_VALIDATION'] = 'false';

/** The stack of `cdk synth`. */
export function createStack(appProps: AppProps, settings: Partial<DeploySettings> = {}): CairnStack {
  const app = new App({ ...appProps, context: { ...context, ...appProps.context } });
  const deployment = {
    settings: { ...DEFAULT_SETTINGS, ...settings },
    releasesFile: join(PROJECT_ROOT, 'infra/releases.json'),
  };
  return new CairnStack(app, stackNameOf(deployment.settings), { deployment });
}

/** Without bundles, which take seconds and change only asset names. */
export function createStackWithoutBundles(settings: Partial<DeploySettings> = {}): CairnStack {
  return createStack({ context: { 'aws:cdk:bundling-stacks': [] } }, settings);
}

export function synthesize(stack: CairnStack): Synthesized {
  // First: the synthesis sets tags and boundaries.
  const json = Template.fromStack(stack).toJSON() as TemplateJson;
  const ids: Record<string, string> = {};
  const paths: Record<string, string> = {};
  for (const construct of stack.node.findAll()) {
    const path = construct.node.path.replace(/^[^/]*\/?/, '');
    const element = construct.node.defaultChild ?? construct;
    if (CfnElement.isCfnElement(element)) ids[path] = stack.getLogicalId(element);
    if (CfnElement.isCfnElement(construct))
      paths[stack.getLogicalId(construct)] = path.replace(/\/Resource$/, '');
  }
  const { violations } = new AwsSolutionsChecks().validateScope(stack);
  return {
    stackName: stack.stackName,
    json,
    ids,
    paths,
    warnings: Annotations.fromStack(stack)
      .findWarning('*', Match.anyValue())
      .map(({ entry }) => entry.data),
    violations: violations.map(({ ruleName, violatingResources }) => ({
      ruleName,
      constructs: violatingResources.map(({ constructPath }) => constructPath ?? 'unknown'),
    })),
  };
}
