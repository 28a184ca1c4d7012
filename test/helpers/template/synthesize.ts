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

/** All that tests read of a stack, as JSON. */
export interface Synthesized {
  readonly stackName: string;
  readonly json: TemplateJson;
  /** Logical ids by the paths of constructs: `Query`, `Sync/Group`. */
  readonly ids: Readonly<Record<string, string>>;
  /** The paths of elements by their logical ids. */
  readonly paths: Readonly<Record<string, string>>;
  /** What CDK warns of. */
  readonly warnings: readonly unknown[];
  /** What cdk-nag finds. */
  readonly violations: readonly { readonly ruleName: string; readonly constructs: readonly string[] }[];
}
// oxlint-enable typescript/no-explicit-any

/** The feature flags `cdk` takes from cdk.json; without them another template comes out. */
const { context } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'cdk.json'), 'utf8')) as {
  context: Record<string, unknown>;
};

// CDK's own validation only warns, and takes four seconds in each process. CI has it, and `cdk synth` does.
if (!isThorough) process.env['CDK_VALIDATION'] = 'false';

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

export function synthesize(stack: CairnStack): Synthesized {
  // First: tags and boundaries are set while a stack is synthesized.
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
