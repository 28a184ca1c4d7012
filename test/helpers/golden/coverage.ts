import { readFileSync } from 'node:fs';
import type { RequestStep, Scenario } from './steps.ts';

const METHODS = ['get', 'head', 'options', 'put', 'post', 'delete', 'patch'];

export function requestsOf({ groups }: Scenario): { readonly group: string; readonly step: RequestStep }[] {
  return groups.flatMap(({ name, steps }) =>
    steps.flatMap((step) => ('order' in step || step.isUnrecorded ? [] : [{ group: name, step }])),
  );
}

/** Operations of `openapi.json` without a request. */
export function uncoveredOperations(scenarios: readonly Scenario[]): string[] {
  const document = JSON.parse(
    readFileSync(new URL('../../../functions/openapi/openapi.json', import.meta.url), 'utf8'),
  ) as { paths: Record<string, Record<string, { operationId?: string }>> };
  const requests = scenarios.flatMap(requestsOf).map(({ step }) => ({
    method: (step.method ?? 'GET').toLowerCase(),
    path: step.target.split('?')[0]!,
  }));
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return METHODS.filter((method) => item[method] !== undefined)
      .filter(
        (method) => !requests.some((request) => request.method === method && pattern.test(request.path)),
      )
      .map((method) => item[method]!.operationId ?? `${method} ${path}`);
  });
}
