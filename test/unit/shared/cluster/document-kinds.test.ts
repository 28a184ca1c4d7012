import { readFileSync } from 'node:fs';
import { collectCommands, collectionsOf, DOCUMENT_KINDS } from '@cairn/shared/cluster/document-kinds';
import { REPORTED_KINDS } from '@cairn/shared/cluster/facts';
import { describe, expect, it } from 'vitest';

describe('commands for missing documents', () => {
  it.each([
    ['nodes', ['oc get nodes -o json']],
    ['cgroupMode', ['oc get nodes.config.openshift.io cluster -o json']],
    ['unservableRoutes', ['oc get routes -A -o json']],
    ['adminAcks', ['oc get configmaps admin-acks -n openshift-config -o json']],
    ['digestMirrorSets', ['oc get imagedigestmirrorsets -o json']],
    ['singleReplicas', ['oc get deployments,statefulsets -A -o json']],
  ] as const)('of %s', (fact, commands) => {
    expect(collectCommands(fact)).toEqual(commands);
  });

  it('exist for every fact, and never ask for Secrets', () => {
    for (const fact of REPORTED_KINDS) {
      expect(collectCommands(fact), fact).not.toEqual([]);
      expect(collectCommands(fact).join(' '), fact).not.toMatch(/secret/i);
    }
  });
});

describe('docs/upgrade-safety.md', () => {
  it('lists every document with its command and component', () => {
    const page = readFileSync(new URL('../../../../docs/upgrade-safety.md', import.meta.url), 'utf8');
    const cells = page
      .split('\n')
      .filter((line) => line.includes('| `oc '))
      .map((line) => line.split(/ +\| +|^\| +| +\|$/).slice(1, -1));
    const expected = DOCUMENT_KINDS.flatMap(({ facts, component }) =>
      facts
        .flatMap((fact) => collectionsOf(fact))
        .map(({ kinds, command }) => [kinds.join(', '), `\`${command}\``, `\`${component}\``]),
    );
    const distinct = new Map(expected.map((row) => [row[1], row]));
    expect(cells.slice(0, -1)).toEqual([...distinct.values()]);
  });
});
