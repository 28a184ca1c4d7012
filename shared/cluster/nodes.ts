import type { NodeFacts } from './facts.ts';
import type { Field } from './field.ts';

const ANNOTATION = 'machineconfiguration.openshift.io';

export function readNode(object: Field): NodeFacts {
  const metadata = object.at('metadata');
  const annotations = metadata.at('annotations');
  const info = object.at('status', 'nodeInfo');
  return {
    name: metadata.at('name').text(),
    labels: metadata.at('labels').labels(),
    createdAt: metadata.at('creationTimestamp').time(),
    unschedulable: object.at('spec', 'unschedulable').flag(),
    ready: readReady(object.at('status', 'conditions')),
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

function readReady(conditions: Field): string | null {
  let ready: string | null = null;
  for (const condition of conditions.items()) {
    // In a cluster at rest nothing else tells when the documents were collected.
    condition.at('lastHeartbeatTime').time();
    condition.at('lastTransitionTime').time();
    if (condition.at('type').text() === 'Ready') ready = condition.at('status').textOrNull();
  }
  return ready;
}
