import { USING_KINDS } from '@cairn/shared/prune/images/in-use/kinds';
import { pruneCommand } from './prune-objects.ts';

export const pruneImages = pruneCommand({
  name: 'prune images',
  summary: 'which tags and images of a cluster would go, and who uses the others',
  about:
    'Tells which revisions of ImageStreams and which Images would go, which objects use the others, and prints the oc commands for it. Nothing is deleted, and nothing is asked of anybody but oc.',
  path: '/v1/prune-evaluations/images',
  policy: {
    'keep-tag-revisions': { kind: 'text', value: 'NUMBER', help: 'so many revisions of each tag stay (3)' },
    'keep-younger-than': { kind: 'text', value: 'TIME', help: 'what is not older stays: 60m, 36h, 7d (60m)' },
    all: {
      kind: 'text',
      values: ['true', 'false'],
      help: 'imported images go as well as pushed ones (true)',
    },
    'ignore-invalid-refs': {
      kind: 'switch',
      help: 'print commands although a reference is not valid; what it seems to name stays',
    },
    namespace: { kind: 'text', value: 'NAME', help: 'only streams of this one; then no Images go' },
    collected: {
      kind: 'list',
      value: 'KIND',
      help: 'without --oc: the kinds that oc get was asked for, of which the cluster may have none',
    },
    now: { kind: 'text', value: 'TIME', help: 'when the documents were collected (now)' },
  },
  isCollectionTold: true,
  examples: [
    'cairn prune images --oc --keep-tag-revisions 5 --keep-younger-than 7d',
    'cairn prune images dump.json --collected pods,deployments,imagestreams,images -o json',
  ],
  queries: () =>
    [...USING_KINDS.map(({ names }) => names[0]!), 'imagestreams', 'images'].map((resource) => ({
      resource,
      everywhere: true,
    })),
});
