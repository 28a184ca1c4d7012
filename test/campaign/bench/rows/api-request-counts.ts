import { isRemovedApi } from '@cairn/shared/safety/tables/api-removals';
import { readDocuments } from '../../../helpers/cluster/cluster-documents.ts';
import { cpuCostOf, medianRatio } from '../interleave.ts';
import { type Finding, ratio, type Row } from '../row.ts';

const ROUNDS = 25;
const GOAL = 2;
const BYTES = 20e6;
const REMOVED = [
  'cronjobs.v1beta1.batch',
  'flowschemas.v1beta3.flowcontrol.apiserver.k8s.io',
  'ingresses.v1beta1.extensions',
];
const HOURS = 24;

/** Reading what a cluster tells of the use of its APIs, of which nearly all stay, against parsing the same text. */
export const apiRequestCounts: Row = {
  name: 'API request counts',
  async run() {
    const findings: Finding[] = [];
    for (const [form, indent] of Object.entries({ 'as oc get prints them': 4, 'without spaces': 0 })) {
      const { text, apis } = printedList(indent);
      // Requests come as bytes.
      const bytes = new TextEncoder().encode(text);
      const read = () => {
        const reading = readDocuments(bytes, { isRemovedApi });
        const names = reading.ok
          ? reading.facts.apiUse?.map(({ name }) => name)
          : reading.mistakes[0]?.detail;
        if (String(names) !== String(REMOVED)) throw new Error(`found ${String(names)}`);
      };
      const measured = await medianRatio(
        () => cpuCostOf(read),
        () => cpuCostOf(() => JSON.parse(text) as unknown),
        ROUNDS,
      );
      const what = `reading ${apis} APIRequestCounts, ${form} (${Math.round(bytes.length / 1e6)} MB), / JSON.parse of them`;
      findings.push(ratio(what, measured, GOAL));
    }
    return findings;
  },
};

/** A list with objects of different size: an API is used in some of the hours, on three nodes, by some users. */
function printedList(indent: number): { text: string; apis: number } {
  const items: string[] = [];
  for (let length = 0; length < BYTES; length += items.at(-1)!.length) {
    const number = items.length;
    const name = REMOVED[number] ?? `resources${number}.v1.group${number % 97}.example.com`;
    const printed = JSON.stringify(requestCount(name, number), null, indent);
    items.push(printed.replaceAll('\n', `\n${' '.repeat(2 * indent)}`));
  }
  return { text: `{"apiVersion":"v1","items":[${items.join(',')}],"kind":"List"}`, apis: items.length };
}

function requestCount(name: string, number: number): object {
  const hours = Array.from({ length: HOURS }, (_, hour) =>
    (number * 7 + hour) % 5 === 0 ? usedHour(1 + (number % 10)) : { requestCount: 0 },
  );
  return {
    apiVersion: 'apiserver.openshift.io/v1',
    kind: 'APIRequestCount',
    metadata: {
      creationTimestamp: '2026-01-01T00:00:00Z',
      generation: 1,
      name,
      resourceVersion: '123456789',
      uid: '00000000-0000-4000-8000-000000000001',
    },
    spec: { numberOfUsersToReport: 10 },
    status: { currentHour: hours[11], last24h: hours, requestCount: 720 },
  };
}

function usedHour(users: number): object {
  return {
    byNode: ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((nodeName) => ({
      byUser: Array.from({ length: users }, (_, user) => ({
        byVerb: [
          { requestCount: 4, verb: 'get' },
          { requestCount: 8, verb: 'watch' },
        ],
        requestCount: 12,
        userAgent: 'operator/v0.0.0',
        username: `system:serviceaccount:openshift-operator-${user}:operator`,
      })),
      nodeName,
      requestCount: 12 * users,
    })),
    requestCount: 36 * users,
  };
}
