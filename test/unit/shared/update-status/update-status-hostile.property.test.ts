import { asText } from '@cairn/shared/text/as-text';
import { statusInput } from '@cairn/shared/update-status/input';
import { updateStatus } from '@cairn/shared/update-status/update-status';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { statusReport } from '../../../../functions/update-status/report.ts';
import { readDocuments } from '../../../helpers/cluster/cluster-documents.ts';
import { sized } from '../../../helpers/size.ts';

const text = fc.oneof(
  fc.constantFrom(
    '',
    'master',
    'worker',
    '4.14.0',
    '4.14.1',
    'rendered-1',
    'rendered-2',
    '__proto__',
    'drain-x',
  ),
  fc.constantFrom('\u001b[2J\n', '\ud83d', 'constructor', 'True', 'Done'),
  fc.string({ maxLength: 5 }),
);
const name = fc.constantFrom('a', 'b', 'machine-config', '__proto__', 'constructor');
const time = fc.constantFrom(
  undefined,
  'yesterday',
  '0001-01-01T00:00:00Z',
  '2026-11-16T11:00:00Z',
  '2026-11-16T11:30:00.5+05:00',
  '9999-12-31T23:59:59Z',
);
const validTime = time.filter((each) => each !== 'yesterday');
const condition = fc.record(
  {
    type: fc.constantFrom(
      'Progressing',
      'Failing',
      'Available',
      'Degraded',
      'Ready',
      'DiskPressure',
      '__proto__',
    ),
    status: fc.constantFrom('True', 'False', 'Unknown', ''),
    reason: text,
    message: text,
    lastTransitionTime: time,
  },
  { requiredKeys: ['type'] },
);
const conditions = fc.array(condition, { maxLength: 5 });
const annotation = 'machineconfiguration.openshift.io';
const annotated = fc.dictionary(
  fc.constantFrom(
    ...[
      'currentConfig',
      'desiredConfig',
      'state',
      'reason',
      'desiredDrain',
      'lastAppliedDrain',
      'desiredImage',
    ].map((key) => `${annotation}/${key}`),
    `${annotation}/release-image-version`,
    'include.release.openshift.io/x',
  ),
  text,
);
const metadata = fc.record({
  name,
  annotations: annotated,
  labels: fc.constantFrom(undefined, { 'node-role.kubernetes.io/worker': '' }),
});
const history = fc.array(
  fc.record({
    state: fc.constantFrom('Completed', 'Partial'),
    version: text,
    image: text,
    startedTime: validTime,
    completionTime: validTime,
  }),
  { maxLength: 4 },
);
const versions = fc.array(fc.record({ name: fc.constantFrom('operator', 'operator-image'), version: text }), {
  maxLength: 2,
});
const progressing = { type: 'Progressing', status: 'True' };
const clusterVersion = fc
  .record({ history, conditions, version: text })
  .map(({ history, conditions, version }) => ({
    kind: 'ClusterVersion',
    metadata: { name: 'version' },
    status: { desired: { version }, history, conditions: [...conditions, progressing] },
  }));
const object = fc.oneof(
  fc.record({ metadata, versions, conditions }).map(({ metadata, ...status }) => ({
    kind: 'ClusterOperator',
    metadata,
    status,
  })),
  fc.record({ metadata, conditions }).map(({ metadata, ...status }) => ({ kind: 'Node', metadata, status })),
  fc
    .record({ name: fc.constantFrom('master', 'worker', 'a'), paused: fc.boolean(), wanted: text })
    .map((pool) => ({
      kind: 'MachineConfigPool',
      metadata: { name: pool.name },
      spec: {
        paused: pool.paused,
        configuration: { name: pool.wanted },
        nodeSelector: { matchLabels: { 'node-role.kubernetes.io/worker': '' } },
      },
    })),
  metadata.map((metadata) => ({ kind: 'MachineConfig', metadata })),
  fc
    .record({ labels: fc.dictionary(fc.constantFrom('alertname', 'severity'), text), activeAt: validTime })
    .map((alert) => ({
      status: 'success',
      data: { alerts: [{ ...alert, state: 'firing', annotations: { summary: 'x' } }] },
    })),
);
const AT = Date.parse('2026-11-16T12:00:00Z');

it('hostile documents have a status without a number that is none, and safe text', () => {
  let judged = 0;
  fc.assert(
    fc.property(clusterVersion, fc.array(object, { maxLength: 12 }), (version, objects) => {
      const operator = { kind: 'ClusterOperator', metadata: { name: 'first' } };
      const documents = [version, operator, ...objects].map((each) => JSON.stringify(each)).join('\n');
      const reading = readDocuments(documents, { isRemovedApi: () => false });
      if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
      const input = statusInput(reading.facts);
      if (!input.ok) throw new Error(input.problem);
      const status = updateStatus(input.facts, AT);
      // JSON writes NaN and infinities as null.
      expect(JSON.parse(JSON.stringify(status))).toEqual(status);
      for (const { counts, nodes } of status.pools) {
        expect(counts.updated + counts.outdated).toBe(counts.total);
        expect(nodes).toHaveLength(counts.total);
      }
      expect(status.insights.length > 0).toBe(status.updating);
      // oxlint-disable-next-line no-control-regex
      expect(asText(statusReport(status, 'all'))).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
      judged++;
    }),
    { numRuns: sized(200, 2000) },
  );
  expect(judged).toBeGreaterThan(0);
});
