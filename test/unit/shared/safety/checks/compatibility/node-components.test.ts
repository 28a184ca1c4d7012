import type { NodeFacts, PoolFacts } from '@cairn/shared/cluster/facts';
import { nodeComponents } from '@cairn/shared/safety/checks/compatibility/node-components';
import { describe, expect, it } from 'vitest';
import { aCluster, aCondition, aNode, aPool, context } from '../../../../../helpers/cluster/clusters.ts';

function verify(nodes: readonly NodeFacts[] | null, pools: readonly PoolFacts[] | null = [aPool('worker')]) {
  return nodeComponents(context(aCluster({ nodes, pools }), ['4.14.8', '4.15.3']));
}

const running = (name: string, containerRuntimeVersion: string) => aNode(name, { containerRuntimeVersion });
const withImage = (name: string, osImage: string, changes: Partial<NodeFacts> = {}) =>
  aNode(name, { osImage, ...changes });
const OLD = 'Red Hat Enterprise Linux CoreOS 413.92';
const NEW = 'Red Hat Enterprise Linux CoreOS 414.92';

describe('components of nodes', () => {
  it('warns of a container runtime of another minor than the kubelet', () => {
    const findings = verify([
      running('b', 'cri-o://1.26.4'),
      running('a', 'cri-o://1.28.1-2.rhaos4.15'),
      running('c', 'cri-o://1.27.9'),
      running('d', 'containerd://1.6.8'),
      aNode('e', { kubeletVersion: 'Invalid', containerRuntimeVersion: 'cri-o://1.2.3' }),
    ]);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      type: 'NodeComponentsAligned',
      status: 'False',
      reason: 'RuntimeSkew',
      effect: 'warn',
      message:
        'The container runtime is of another minor than the kubelet on 2 nodes: ' +
        'a (kubelet 1.27, CRI-O 1.28) and b (kubelet 1.27, CRI-O 1.26)',
      remediation: ['oc get nodes -o wide'],
    });
    expect(findings[0]!.objects!.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('warns of different images in a pool that is not being rolled, and names the few', () => {
    const findings = verify([withImage('a', NEW), withImage('b', OLD), withImage('c', NEW)]);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ status: 'False', reason: 'OSImageDrift', effect: 'warn' });
    expect(findings[0]!.objects).toEqual([
      { kind: 'Node', name: 'b', detail: { osImage: OLD, pool: 'worker' } },
    ]);
    expect(findings[0]!.message).toContain('in pool worker; the odd ones are b');
  });

  const rolling = { current: 'rendered-1', desired: 'rendered-2', state: 'Working', reason: '' };
  it.each<[string, NodeFacts[], PoolFacts[] | null]>([
    [
      'while the pool is being rolled',
      [withImage('a', OLD), withImage('b', NEW)],
      [aPool('worker', { conditions: [aCondition('Updating', 'True')] })],
    ],
    [
      'while a node is on its way',
      [withImage('a', OLD, { machineConfig: rolling }), withImage('b', NEW)],
      [aPool('worker')],
    ],
    [
      'between pools',
      [withImage('a', NEW), aNode('b', { osImage: OLD }, 'infra')],
      [aPool('worker'), aPool('infra')],
    ],
    [
      'between architectures',
      [withImage('a', NEW), withImage('b', OLD, { architecture: 'arm64' })],
      [aPool('worker')],
    ],
    [
      'of other operating systems',
      [
        withImage('a', NEW),
        withImage('b', 'Windows Server 2022'),
        withImage('c', 'Red Hat Enterprise Linux 8.6'),
      ],
      [aPool('worker')],
    ],
    ['of nodes without a pool', [withImage('a', NEW), withImage('b', OLD)], []],
    ['when pools were not supplied', [withImage('a', NEW), withImage('b', OLD)], null],
  ])('is content with different images %s', (_, nodes, pools) => {
    expect(verify(nodes, pools)).toMatchObject([{ status: 'True', reason: 'AsExpected', effect: 'ok' }]);
  });

  it('reports both', () => {
    const nodes = [withImage('a', NEW), withImage('b', OLD), running('c', 'cri-o://1.26.4')];
    expect(verify(nodes).map(({ reason }) => reason)).toEqual(['RuntimeSkew', 'OSImageDrift']);
  });

  it.each([
    [null, 'InputMissing'],
    [[], 'NoNodes'],
  ])('knows nothing of %j', (nodes, reason) => {
    expect(verify(nodes)).toMatchObject([{ status: 'Unknown', reason, effect: 'warn' }]);
  });
});
