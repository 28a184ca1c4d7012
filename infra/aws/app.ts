import { resolve } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { PROJECT_ROOT } from './bundling/options.ts';
import { CairnStack } from './cairn-stack.ts';
import { readDeployment, stackNameOf } from './deployment.ts';

const app = new App();
const settings: string | undefined = app.node.tryGetContext('settings');
const releases: string | undefined = app.node.tryGetContext('releases');
const reading = readDeployment({
  releases: resolve(PROJECT_ROOT, releases ?? 'infra/releases.json'),
  ...(settings !== undefined && { settings: resolve(PROJECT_ROOT, settings) }),
});
if (!reading.ok) {
  console.error(reading.message);
  process.exit(1);
}

const { deployment } = reading;
new CairnStack(app, stackNameOf(deployment.settings), { deployment });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
