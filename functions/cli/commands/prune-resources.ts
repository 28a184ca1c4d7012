import { pruneCommand } from './prune-objects.ts';
import { MATCHES } from '../../prune-evaluations/schema.ts';
import { FAILED_RULES } from '@cairn/shared/prune/objects/report';

export const pruneResources = pruneCommand({
  name: 'prune resources',
  summary: 'which objects of a cluster would go by a policy, and the commands for it',
  about:
    'Tells which of the objects that "oc get … -o json" prints would go by a policy, why the others stay, and prints the oc commands that delete them. Nothing is deleted, and nothing is asked of anybody but oc.',
  path: '/v1/prune-evaluations/resources',
  policy: {
    kinds: {
      kind: 'list',
      value: 'KIND',
      help: 'kinds to look at, such as Pod or tekton.dev/v1/PipelineRun (Pod, Job)',
    },
    namespaces: { kind: 'list', value: 'NAME', help: 'only in these (all)' },
    labels: {
      kind: 'text',
      value: 'SELECTOR',
      help: 'only objects with these labels, as oc get -l takes it',
    },
    owner: { kind: 'text', value: 'KIND/NAME', help: 'only objects that belong to this one' },
    'keep-newest': { kind: 'text', value: 'NUMBER', help: 'all but so many of the newest of a kind may go' },
    'keep-newest-per': {
      kind: 'text',
      value: 'WHAT',
      help: 'count for each namespace, owner or label:NAME',
    },
    'older-than': { kind: 'text', value: 'TIME', help: 'objects older than this may go: 90m, 36h, 7d' },
    match: { kind: 'text', values: MATCHES, help: 'whether one of both is enough (any)' },
    failed: { kind: 'text', values: FAILED_RULES, help: 'what happens to those that failed (keep)' },
    'allow-unregistered': {
      kind: 'list',
      value: 'KIND',
      help: 'a kind of which every object may go, as nothing tells whether it is finished',
    },
    'count-unprunable': { kind: 'switch', help: 'objects that are not finished count as some of the newest' },
    'max-deletes': { kind: 'text', value: 'NUMBER', help: 'at most so many go, the oldest first' },
    now: { kind: 'text', value: 'TIME', help: 'when the documents were collected (now)' },
  },
  examples: [
    'oc get pods,jobs -A -o json | cairn prune resources --older-than 7d --keep-newest 5 --keep-newest-per owner',
    'cairn prune resources --oc --kinds Job --namespaces ci --older-than 36h | sh',
  ],
  queries: (given) => {
    const kinds = given.list('kinds');
    const wanted = kinds.length > 0 ? kinds : ['Pod', 'Job'];
    return wanted.map((kind) => ({ resource: ocNameOf(kind), everywhere: true }));
  },
});

/** `tekton.dev/v1/PipelineRun` is `pipelinerun.v1.tekton.dev` to oc. */
function ocNameOf(kind: string): string {
  const parts = kind.split('/');
  const [group, version, name] = [parts.at(-3), parts.at(-2), parts.at(-1)!.toLowerCase()];
  return [name, version, group].filter(Boolean).join('.');
}
