import { readdirSync, readFileSync } from 'node:fs';
import type { ReasonCode } from '@cairn/shared/path/values';
import { docsOf } from '@cairn/shared/safety/condition';
import { describe, expect, it } from 'vitest';
import { aggregate, CONDITIONS } from './condition-examples.ts';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/reference/checks.md', root), 'utf8');

/** The text below each heading, by the heading. */
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const end = text.indexOf('\n');
      return [text.slice(0, end), text.slice(end + 1)] as const;
    }),
);

const BY_TYPE = Map.groupBy(CONDITIONS, ({ type }) => type);
const TYPES = [...BY_TYPE.keys(), 'Upgradeable'];

/** Rows of the tables of a section, as texts of their cells. */
function rowsOf(type: string): string[][] {
  const lines = (sections.get(type) ?? '').split('\n').filter((line) => line.startsWith('| '));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** Of the tables that say what reasons come to. */
function reasonsWithEffect(type: string): string[] {
  return rowsOf(type)
    .filter(([, effect]) => effect!.startsWith('`'))
    .flatMap(([reasons]) => reasons!.match(/(?<=`)\w+(?=`)/g) ?? []);
}

/** Names in the source that are written as reasons are, and are none. */
const NO_REASONS = new Set([
  ...TYPES,
  // Statuses and states that the cluster tells of.
  ...['True', 'False', 'Unknown', 'Completed', 'Available', 'Degraded', 'Progressing', 'Updating'],
  ...['Unreconcilable', 'RetrievedUpdates', 'Replacing', 'Deleting', 'CoreOS'],
  ...['Ready', 'DiskPressure', 'Working', 'External', 'DualReplica', 'Recommended', 'ReleaseAccepted'],
  ...['Failing', 'Invalid', 'UnacceptedRisks'],
  // Former reasons.
  ...['ConditionalUpdateRisk', 'RiskApplies'],
  // Kinds of objects, and of words.
  ...['AdminGate', 'APIRequestCount', 'ClusterOperator', 'ClusterServiceVersion', 'ClusterVersion'],
  ...['HistoryEntry', 'MachineConfigPool', 'Node', 'API', 'ClusterExtension'],
  ...['Document', 'CloudCredential', 'FeatureGate'],
  ...['ClusterImagePolicy', 'ContainerRuntimeConfig', 'CustomResourceDefinition', 'ImageContentSourcePolicy'],
  ...['ImageDigestMirrorSet', 'MachineConfig', 'MachineConfiguration', 'Network', 'Route'],
  ...['Alert', 'CertificateSigningRequest'],
  ...['MachineHealthCheck', 'Pod', 'Pods', 'PodDisruptionBudget', 'PodDisruptionBudgets'],
  ...['VirtualMachineInstance', 'VirtualMachineInstances', 'Deployments'],
  // Platforms and values of fields.
  ...['AWS', 'GCP', 'Azure', 'AzureStackCloud', 'VSphere', 'Automatic', 'Manual', 'None', 'OKD'],
  ...['ClusterVersionUpgradeable', 'NAMESPACE', 'BuildInterrupted', 'OpenShiftSDN', 'Kuryr'],
  ...['HostedCluster', 'NodePool'],
  // How a NodePool updates its nodes, and conditions that are read.
  ...['Replace', 'ReconciliationActive'],
]);

function namesInSource(): string[] {
  const folder = new URL('shared/safety/', root);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    // Titles are words for people.
    (name) => name.endsWith('.ts') && name !== 'tables/titles.ts',
  );
  const code = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  return [...new Set([...code.matchAll(/'([A-Z][A-Za-z0-9]+)'/g)].map(([, name]) => name!))].toSorted();
}

describe('docs/reference/checks.md', () => {
  it('has every name of the source that is a reason', () => {
    const names = namesInSource();
    expect(names).toEqual(expect.arrayContaining(['KubeletMinorVersionUnsupported', 'InputMissing']));
    const missing = names.filter((name) => !NO_REASONS.has(name) && !page.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });

  it('has every reason for which there is no path', () => {
    const codes: Record<ReasonCode, true> = {
      excluded: true,
      invalid_order: true,
      channel_unknown: true,
      channel_empty: true,
      arch_unavailable: true,
      source_not_in_channel: true,
      target_not_in_channel: true,
      no_recommended_path: true,
      risks_not_accepted: true,
      source_has_no_updates: true,
      disconnected: true,
    };
    const told = reasonsWithEffect('PathExists').filter((reason) => reason !== 'AsExpected');
    expect(told.toSorted()).toEqual(Object.keys(codes).toSorted());
  });

  it.each(TYPES.filter((type) => type !== 'PathExists' && type !== 'Upgradeable'))(
    'lists every reason that the code gives for %s, and no others',
    (type) => {
      const given = new Set(BY_TYPE.get(type)!.map(({ reason }) => reason));
      expect(reasonsWithEffect(type).toSorted()).toEqual([...given].toSorted());
    },
  );

  it.each(TYPES)('has a section where docsOf(%s) points', (type) => {
    const [file, anchor] = docsOf(type).split('#');
    expect(file).toBe('docs/reference/checks.md');
    expect([...sections.keys()].filter((heading) => heading.toLowerCase() === anchor)).toEqual([type]);
  });

  it.each([...BY_TYPE])('documents the effect of each reason of %s', (type, conditions) => {
    const byReason = Map.groupBy(conditions, ({ reason }) => reason);
    for (const [reason, given] of byReason) {
      const rows = rowsOf(type).filter(([first]) => first!.includes(`\`${reason}\``));
      const effects = rows.map(([, effect]) => effect);
      expect(
        given.map(({ effect }) => `\`${effect}\``).filter((effect) => effects.includes(effect)),
        reason,
      ).not.toEqual([]);
    }
  });

  it.each(TYPES)('shows a message of %s as the code gives it', (type) => {
    const given = type === 'Upgradeable' ? [aggregate()] : BY_TYPE.get(type)!;
    const messages = given.filter(({ effect }) => effect !== 'ok').map(({ message }) => message);
    const shown = /```text\n([^]*?)\n```/.exec(sections.get(type) ?? '')?.[1];
    expect(messages).toContain(shown);
  });

  it('leads nowhere that is not there', () => {
    const anchors = new Set(
      [...sections.keys()].map((heading) => heading.toLowerCase().replaceAll(' ', '-')),
    );
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor!);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([]);
  });
});
