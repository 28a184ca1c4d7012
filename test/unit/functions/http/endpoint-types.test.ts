import { expect, it } from 'vitest';
import { type Call, endpoints, type Wire } from '../../../../functions/http/endpoint.ts';
import { RESPONSES } from '../../../../functions/openapi/responses.ts';
import type { JsonRouteId } from '../../../../functions/routes.ts';

// Checked by tsc: a line under `@ts-expect-error` that compiles is an error.

const switches = [{ name: 'sync', stopped: false }] as const;
const found: Extract<Wire<'findUpgradePath'>, { found: true }> = {
  found: true,
  from: '4.14.1',
  to: '4.14.2',
  channel: 'stable-4.14',
  channels: ['stable-4.14'],
  arch: 'amd64',
  graphSyncedAt: null,
  graphEtag: '"1',
  warnings: [],
  path: [],
  stats: { hops: 0, minorsCrossed: 0, riskyHops: 0, distinctRisks: 0, channelSwitches: 0 },
  channelPlan: [],
  alternatives: [],
  mirror: [],
  imageSets: [],
  graphDataImageNeeded: true,
};

const cases = {
  'what the schema has': () => endpoints({ listSwitches: () => ({ data: { switches } }) }),
  'of two answers the one': () => endpoints({ findUpgradePath: async () => ({ data: found }) }),
  'an extra key at the top': () =>
    // @ts-expect-error Not in the response schema: probe.
    endpoints({ listSwitches: () => ({ data: { switches, probe: 1 } }) }),
  'an extra key deep in a list': () =>
    endpoints({
      // @ts-expect-error Not in the response schema: probe.
      listSwitches: () => ({ data: { switches: switches.map((one) => ({ ...one, probe: 1 })) } }),
    }),
  'an extra key by a spread': () => {
    const more = { probe: 1 };
    // @ts-expect-error Not in the response schema: probe.
    return endpoints({ listSwitches: async () => ({ data: { switches, ...more } }) });
  },
  'an extra key below an optional one': () =>
    endpoints({
      // @ts-expect-error Not in the response schema: probe.
      findUpgradePath: () => ({
        data: {
          ...found,
          path: [
            {
              version: '4.14.1',
              payload: 'image',
              role: 'target' as const,
              hop: { conditional: false, risks: [], crossesMinor: false, channels: [], probe: 1 },
            },
          ],
        },
      }),
    }),
  'a key of the other answer of two': () =>
    // @ts-expect-error Not in the response schema: explanation.
    endpoints({ findUpgradePath: () => ({ data: { ...found, explanation: null } }) }),
  'an extra key in JSON that is written at once': () =>
    endpoints({
      // @ts-expect-error Not in the response schema: probe.
      listSwitches: () => ({ answer: {}, written: { switches, probe: 1 } }),
    }),
  'a missing key': () =>
    // @ts-expect-error Property 'switches' is missing.
    endpoints({ listSwitches: () => ({ data: {} }) }),
  'a missing key deep in a list': () =>
    // @ts-expect-error Property 'stopped' is missing.
    endpoints({ listSwitches: () => ({ data: { switches: [{ name: 'sync' as const }] } }) }),
  'a value that its enum does not have': () =>
    // @ts-expect-error "other" is not assignable.
    endpoints({ listSwitches: () => ({ data: { switches: [{ name: 'other', stopped: false }] } }) }),
  'data on a route that answers no JSON': () =>
    // @ts-expect-error Not assignable to never.
    endpoints({ deleteCluster: () => ({ data: { id: 'north' } }) }),
  'a route that is not there': () =>
    // @ts-expect-error Not assignable to never.
    endpoints({ deleteEverything: () => ({ answer: {} }) }),
  'a route without a response schema': () => {
    const { getCluster: _getCluster, ...others } = RESPONSES;
    // @ts-expect-error Property 'getCluster' is missing.
    return others satisfies Record<JsonRouteId, unknown>;
  },
  'a parsed query and body': ({ query }: Call<'planClusterUpgrade'>, { body }: Call<'putSwitch'>) => {
    body.stopped satisfies boolean;
    query.strategy satisfies 'rolling' | 'control-plane-only' | undefined;
    // @ts-expect-error No such parameter.
    void query.probe;
    // @ts-expect-error No such field.
    void body.probe;
  },
};

it('endpoints are what was given, whatever their types', () => {
  const given = { listSwitches: () => ({ data: { switches } }) };
  expect(endpoints(given)).toBe(given);
  expect(Object.keys(cases)).toHaveLength(15);
});
