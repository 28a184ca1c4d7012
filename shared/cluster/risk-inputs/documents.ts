import {
  clusterObject,
  configMapDocument,
  headOf,
  type Json,
  type Writers,
} from '../reduced-configuration.ts';
import type { InstallerFacts, ObjectCountsFacts, RiskAnswerFacts } from './facts.ts';
import { CAIRN_API, IMAGE_REGISTRY, INSTALLER, INSTALLER_MANIFESTS } from './kinds.ts';

export const RISK_WRITERS: Writers<
  | 'installer'
  | 'installerManifests'
  | 'proxy'
  | 'registryReplicas'
  | 'objectCounts'
  | 'containerImages'
  | 'riskAnswers'
> = {
  installer: (facts) => [installerDocument(INSTALLER, facts)],
  installerManifests: (facts) => [installerDocument(INSTALLER_MANIFESTS, facts)],
  proxy: ({ http, https, trustedCa }) => [
    clusterObject('Proxy', {
      spec: {
        ...(http && { httpProxy: SET }),
        ...(https && { httpsProxy: SET }),
        ...(trustedCa && { trustedCA: { name: SET } }),
      },
    }),
  ],
  registryReplicas: (replicas) => [{ ...headOf('Deployment'), metadata: IMAGE_REGISTRY, spec: { replicas } }],
  objectCounts: (facts) => [countsDocument(facts)],
  containerImages: ({ images, isComplete }) => [
    { apiVersion: CAIRN_API, kind: 'ContainerImages', images, complete: isComplete },
  ],
  riskAnswers: (answers) => [
    { apiVersion: CAIRN_API, kind: 'RiskAnswers', answers: answers.map(answerDocument) },
  ],
};

/** Stands for a URL or a name, which stay in the cluster. */
const SET = 'set';

function installerDocument(
  metadata: typeof INSTALLER | typeof INSTALLER_MANIFESTS,
  { version, invoker }: InstallerFacts,
): Json {
  const entries = Object.entries({ version, invoker }).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value }],
  );
  return configMapDocument(metadata, entries);
}

/** Also for what one request found. */
export function countsDocument(facts: Partial<ObjectCountsFacts>): Json {
  return { apiVersion: CAIRN_API, kind: 'ObjectCounts', ...facts };
}

function answerDocument({ promql, at, outcome }: RiskAnswerFacts): Json {
  if (outcome === 'fails') return { promql, at, error: 'no answer that a cluster takes' };
  const value = [Date.parse(at) / 1000, outcome === 'yes' ? '1' : '0'];
  return { promql, at, data: { resultType: 'vector', result: [{ metric: {}, value }] } };
}
