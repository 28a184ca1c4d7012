import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { DeploySettings } from '../../../infra/aws/settings/settings.ts';
import { jsonOnce } from '../build-cache.ts';
import { isThorough } from '../size.ts';
import type { Synthesized } from './synthesize.ts';

// oxlint-disable typescript/no-explicit-any -- properties of a template
export type ReadTemplate = ReturnType<typeof readTemplate>;

/** The template of `cdk synth` for these settings, created once per state of the sources. */
export async function templateOf(settings: Partial<DeploySettings> = {}): Promise<ReadTemplate> {
  const hash = createHash('sha256')
    .update(JSON.stringify([settings, isThorough]))
    .digest('hex');
  const file = join(inject('builds'), 'templates', `${hash}.json`);
  // CDK takes a second to load, so it is imported only for new templates.
  const made = await jsonOnce(file, async () => {
    const { createStackWithoutBundles, synthesize } = await import('./synthesize.ts');
    return synthesize(createStackWithoutBundles(settings));
  });
  return readTemplate(made);
}

/** Reads a template by construct paths. */
export function readTemplate(synthesized: Synthesized) {
  const { json, ids } = synthesized;
  const { Resources, Outputs } = json;
  const ofType = (type: string): { readonly id: string; readonly properties: any }[] =>
    Object.keys(Resources)
      .filter((id) => Resources[id]!.Type === type)
      .map((id) => ({ id, properties: Resources[id]!.Properties }));
  const idOf = (path: string): string => {
    const id = ids[path];
    if (id === undefined) throw new Error(`no construct at ${path}`);
    return id;
  };
  return {
    ...synthesized,
    resources: Resources,
    outputs: Outputs,
    ofType,
    idOf,
    resource: (path: string): any => Resources[idOf(path)],
    arnOf: (path: string) => ({ 'Fn::GetAtt': [idOf(path), 'Arn'] }),
    output: (name: string): any => Outputs[name]!.Value,
    /** All policy statements of a role. */
    statementsOf: (roleId: string): any[] =>
      ofType('AWS::IAM::Policy')
        .filter(({ properties }) => properties.Roles.some((role: { Ref: string }) => role.Ref === roleId))
        .flatMap(({ properties }) => properties.PolicyDocument.Statement),
  };
}
// oxlint-enable typescript/no-explicit-any

/** Every string in a value, with the parts of a joined ARN. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
