import { readConditions } from './conditions.ts';
import type { ClusterCondition, NodeFacts } from './facts.ts';
import type { Field } from '../input/input-value.ts';

const ANNOTATION = 'machineconfiguration.openshift.io';
const UNHEALTHY_IF_TRUE: ReadonlySet<string> = new Set([
  'DiskPressure',
  'MemoryPressure',
  'NetworkUnavailable',
  'PIDPressure',
]);

export function readNode(object: Field): NodeFacts {
  const metadata = object.at('metadata');
  const annotations = metadata.at('annotations');
  const info = object.at('status', 'nodeInfo');
  const conditions = object.at('status', 'conditions');
  // In a cluster at rest nothing else tells when the documents were collected.
  for (const condition of conditions.items()) condition.at('lastHeartbeatTime').time();
  const read = readConditions(conditions);
  return {
    name: metadata.at('name').text(),
    labels: metadata.at('labels').labels(),
    createdAt: metadata.at('creationTimestamp').time(),
    unschedulable: object.at('spec', 'unschedulable').flag(),
    ready: read.findLast(({ type }) => type === 'Ready')?.status || null,
    problems: read.filter(isProblem),
    kubeletVersion: info.at('kubeletVersion').text(),
    containerRuntimeVersion: info.at('containerRuntimeVersion').text(),
    osImage: info.at('osImage').text(),
    architecture: info.at('architecture').text(),
    machineConfig: {
      current: annotations.at(`${ANNOTATION}/currentConfig`).text(),
      desired: annotations.at(`${ANNOTATION}/desiredConfig`).text(),
      state: annotations.at(`${ANNOTATION}/state`).text(),
      reason: annotations.at(`${ANNOTATION}/reason`).message(),
    },
  };
}

function isProblem({ type, status }: ClusterCondition): boolean {
  return type === 'Ready' ? status !== 'True' : UNHEALTHY_IF_TRUE.has(type) && status === 'True';
}
