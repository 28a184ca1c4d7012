import {
  REASON_TITLES,
  SHARED_REASONS,
  subjectOf,
  titleOf,
  TYPE_TITLES,
} from '@cairn/shared/safety/tables/titles';
import { describe, expect, it } from 'vitest';
import { aggregate, CONDITIONS } from '../../../docs/condition-examples.ts';

/** Reasons that the example clusters report by themselves. */
const REPORTED: readonly string[] = ['X', 'EtcdMembers', 'IngressControllersNotUpgradeable'];

/** Words with an inner capital, which identifiers have. Names of products are no identifiers. */
const IDENTIFIER = /\b[A-Z]?[a-z]+[A-Z]\w*/;
const PRODUCTS = /OpenShift|SELinuxMount|vSphere/g;

describe('titles', () => {
  it('are there for every reason of every check', () => {
    const untitled = [...CONDITIONS, aggregate()].filter(
      (condition) => !REPORTED.includes(condition.reason) && titleOf(condition) === subjectOf(condition.type),
    );
    expect(untitled.map(({ type, reason }) => `${type} ${reason}`)).toEqual([]);
  });

  it('know every type', () => {
    const types = new Set(CONDITIONS.map(({ type }) => type));
    expect([...types].filter((type) => subjectOf(type) === type)).toEqual([]);
  });

  it('are short, in sentence case, and without identifiers', () => {
    const given = new Set([
      ...CONDITIONS.map(titleOf),
      ...Object.values(REASON_TITLES),
      ...Object.values(TYPE_TITLES).flat(),
      ...Object.keys(TYPE_TITLES).flatMap((type) =>
        Object.keys(SHARED_REASONS).map((reason) => titleOf({ type, reason, status: 'Unknown' })),
      ),
    ]);
    const wrong = [...given].filter(
      (title) =>
        title.length > 60 ||
        title.endsWith('.') ||
        !/^(?:[A-Z]|etcd|runc|vSphere)/.test(title) ||
        IDENTIFIER.test(title.replaceAll(PRODUCTS, '')),
    );
    expect(wrong).toEqual([]);
  });

  it('of reasons that operators report are those of the type', () => {
    const condition = { type: 'ClusterOperatorsUpgradeable', reason: 'Mine', status: 'False' as const };
    expect(titleOf(condition)).toBe('An operator blocks minor updates');
    expect(titleOf({ ...condition, status: 'True' })).toBe('Cluster operators');
    expect(titleOf({ ...condition, type: 'ReportedUpgradeable' })).toBe('The cluster blocks minor updates');
    expect(titleOf({ ...condition, reason: 'constructor' })).toBe('An operator blocks minor updates');
  });

  it('of expected results and missing documents name the subject', () => {
    const title = (reason: string, status: 'True' | 'Unknown') =>
      titleOf({ type: 'NodesHealthy', reason, status });
    expect(title('AsExpected', 'True')).toBe('Nodes are healthy');
    expect(title('InputMissing', 'Unknown')).toBe('Nodes: documents are missing');
    expect(title('NotChecked', 'Unknown')).toBe('Nodes: not checked');
  });
});
