import { shellWord } from '../../../text/quote.ts';
import { countInWords, listInWords } from '../../../text/words.ts';
import { minorOf } from '../../../version/minor.ts';
import { type ConditionObject, type Finding, finding, inputMissing, type Check } from '../../condition.ts';
import {
  openShiftOf,
  removedApisInUse,
  type RemovedApiUse,
  replacementDetail,
  replacementInWords,
} from '../../evidence/api-use.ts';
import type { Hop, HopContext } from '../../hop.ts';
import { removalsOfHop, replacementOf } from '../../tables/api-removals.ts';

const TYPE = 'APIRemovals';
export const REMOVALS_ON_PATH = 'RemovalsOnPath';
export const REQUEST_COUNTS_COMMAND = 'oc get apirequestcounts';

const SHOWN = 10;

/** Blocks a hop that removes an API in use: its clients would fail after the update. */
export const apiRemovals: Check = (context) => {
  const { apiUse } = context.facts;
  if (apiUse === null) {
    const missing = inputMissing(TYPE, 'the counts of API requests were', [
      'oc get apirequestcounts -o json',
    ]);
    return [missing, ...removalsOnTheWay(context)];
  }
  const used = removedApisInUse(apiUse, context);
  return [
    ...removalsInUse(
      used.filter(({ when }) => when === 'hop'),
      context,
    ),
    ...outsideTheWay(used, context),
  ];
};

/** Of a cluster of which only the version is known: APIs that nothing may use after the hop. */
export const removalsToCheck: Check = (context) =>
  removalsOnTheWay(context).map((removals) => ({
    ...removals,
    status: 'Unknown',
    remediation: [REQUEST_COUNTS_COMMAND],
  }));

function removalsInUse(used: readonly RemovedApiUse[], context: HopContext): Finding[] {
  const { hop, options } = context;
  if (used.length === 0) {
    const what = hop.kubeTo > hop.kubeFrom ? `Kubernetes 1.${hop.kubeTo}` : hop.to.raw;
    return [
      finding({
        type: TYPE,
        status: 'True',
        reason: 'NoRemovedAPIsInUse',
        message: `No API in use is removed by ${what}`,
        effect: 'ok',
      }),
    ];
  }
  const reason = hop.minorDistance > 1 ? 'APIRemovedInLaterReleaseInUse' : 'APIRemovedInNextReleaseInUse';
  const strict = used.filter(({ leniency }) => leniency === null);
  const acknowledged = strict.filter((api) => gatesOf(api, context).length > 0);
  const blocking = strict.filter((api) => options.apiRemovals === 'block' || !acknowledged.includes(api));
  const tolerated = used.filter((api) => !blocking.includes(api));
  return [
    ...inUse(reason, 'block', blocking, hop),
    ...inUse(reason, 'warn', tolerated, hop),
    ...acknowledgedButInUse(acknowledged, context),
  ];
}

function inUse(
  reason: string,
  effect: 'block' | 'warn',
  used: readonly RemovedApiUse[],
  { minorDistance }: Hop,
): Finding[] {
  if (used.length === 0) return [];
  return [
    {
      ...finding({ type: TYPE, status: 'False', reason, message: linesOf(used), effect }),
      objects: used.map((api) =>
        objectOf(api, minorDistance > 1 ? { nextEUS: api.isByNextExtendedSupport } : {}),
      ),
      remediation: used.flatMap((api) => [
        moveClients(api),
        `oc get apirequestcounts ${shellWord(api.name)} -o yaml`,
      ]),
    },
  ];
}

function moveClients({ name, replacement }: RemovedApiUse): string {
  const instead = replacementInWords(replacement);
  return instead === null
    ? `Stop using ${name}: no replacement is known`
    : `Move clients of ${name} to ${instead}`;
}

function gatesOf({ name, removedIn }: RemovedApiUse, { facts, hop }: HopContext): string[] {
  const [, version = '', group = ''] = name.split('.');
  const subjects = [`kube-1.${removedIn}-api-removals`, `${group}-${version}-api-removals`];
  return (facts.adminAcks ?? [])
    .filter(({ key, value }) => value === 'true' && key.startsWith(`ack-${minorOf(hop.from)}-`))
    .filter(({ key }) => subjects.some((subject) => key.includes(`-${subject}`)))
    .map(({ key }) => key);
}

function acknowledgedButInUse(used: readonly RemovedApiUse[], context: HopContext): Finding[] {
  if (used.length === 0) return [];
  const gates = [...new Set(used.flatMap((api) => gatesOf(api, context)))].toSorted();
  const names = used.map(({ name }) => name);
  const message = `${listInWords(gates)} ${gates.length === 1 ? 'is' : 'are'} acknowledged, but what goes away is still in use: ${listInWords(names)}`;
  return [
    {
      ...finding({ type: TYPE, status: 'False', reason: 'AcknowledgedButInUse', message, effect: 'warn' }),
      objects: used.map((api) => objectOf(api)),
    },
  ];
}

/** Reported once per path: APIs already removed at the first hop, later removals at the last. */
function outsideTheWay(used: readonly RemovedApiUse[], { hop, hops }: HopContext): Finding[] {
  const past = hop.index === 0 ? used.filter(({ when }) => when === 'before') : [];
  const isLast = hop.index === hops.length - 1;
  const beyond = isLast ? used.filter(({ when }) => when === 'beyond') : [];
  return [...noted('AlreadyRemoved', past), ...noted('APIRemovedBeyondTarget', beyond)];
}

function noted(reason: string, used: readonly RemovedApiUse[]): Finding[] {
  if (used.length === 0) return [];
  return [
    {
      ...finding({ type: TYPE, status: 'True', reason, message: linesOf(used), effect: 'info' }),
      objects: used.map((api) => objectOf(api)),
    },
  ];
}

/** Falls back to the table if the cluster sent no API request counts. */
function removalsOnTheWay({ hop, hops }: HopContext): Finding[] {
  const removed = removalsOfHop(hop);
  if (removed.length === 0) return [];
  const { kubeTo } = hop;
  const message = `Kubernetes 1.${kubeTo} (OpenShift ${openShiftOf(kubeTo)}) removes ${countInWords(removed.length, 'API')}: ${listInWords(removed.map(({ name }) => name))}`;
  return [
    {
      ...finding({ type: TYPE, status: 'True', reason: REMOVALS_ON_PATH, message, effect: 'info' }),
      origin: 'catalogue',
      objects: removed.map(({ name, removedIn, planned }) => ({
        kind: 'APIRequestCount',
        name,
        detail: {
          removedIn: `1.${removedIn}`,
          planned,
          ...replacementDetail(replacementOf(name, (hops[0] ?? hop).kubeFrom)),
        },
      })),
    },
  ];
}

function linesOf(used: readonly RemovedApiUse[]): string {
  const more = used.length > SHOWN ? [`and ${used.length - SHOWN} more`] : [];
  return [...used.slice(0, SHOWN).map(lineOf), ...more].join('\n');
}

const LENIENCIES = {
  'platform-only': 'only parts of the platform use it, which the update replaces',
  planned: 'the date is announced and may slip',
  'custom-resource': 'a custom resource, which the API server does not depend on',
} as const;

function lineOf(api: RemovedApiUse): string {
  const { requests, users, unattributed } = api.clients;
  const who =
    users.length === 0
      ? 'clients that the cluster does not name'
      : `${countInWords(users.length, 'client')}${unattributed > 0 ? ' and others' : ''}`;
  const replacement = replacementInWords(api.replacement);
  const instead = replacement === null ? 'no replacement is known' : `use ${replacement}`;
  const why = api.leniency === null ? '' : ` (${LENIENCIES[api.leniency]})`;
  return `${api.name} is removed in Kubernetes 1.${api.removedIn} (OpenShift ${api.openShift}), ${countInWords(requests, 'request')} in 24 h by ${who}; ${instead}${why}`;
}

function objectOf(api: RemovedApiUse, more: Record<string, unknown> = {}): ConditionObject {
  const { requests, users, unattributed } = api.clients;
  return {
    kind: 'APIRequestCount',
    name: api.name,
    detail: {
      removedIn: `1.${api.removedIn}`,
      openShift: api.openShift,
      ...replacementDetail(api.replacement),
      requests,
      unattributed,
      users,
      ...more,
    },
  };
}
