import { fileURLToPath } from 'node:url';
import { Template } from 'aws-cdk-lib/assertions';
import { readDeployment } from '../../../infra/aws/deployment.ts';
import { createStackWithoutBundles } from '../template/synthesize.ts';
import { maskChanging } from './masks.ts';
import type { Recordings } from './recordings.ts';

/** Synthesizes without bundles, which change only asset names. */
export function synthesizeTemplates(names: readonly string[]): Recordings {
  return new Map(
    names.map((name) => {
      const template = Template.fromStack(createStackWithoutBundles(settingsOf(name))).toJSON();
      const headers = { 'content-type': 'application/json' };
      return [name, maskChanging({ status: 0, headers, body: JSON.stringify(template) })];
    }),
  );
}

function settingsOf(name: string) {
  const path = (from: string): string => fileURLToPath(new URL(from, import.meta.url));
  const reading = readDeployment({
    releases: path('../../../infra/releases.json'),
    ...(name !== 'default' && { settings: path(`../../fixtures/golden/settings/${name}.json`) }),
  });
  if (!reading.ok) throw new Error(reading.message);
  return reading.deployment.settings;
}
