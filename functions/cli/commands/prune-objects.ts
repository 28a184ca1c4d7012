import { USING_KINDS } from '@cairn/shared/prune/images/in-use/kinds';
import { FAILED_RULES, type StrategyName } from '@cairn/shared/prune/objects/values';
import type { Flag, Flags } from '../../command-line/flags.ts';
import type { ParsedArgs } from '../../command-line/parse.ts';
import { MATCHES } from '../../prune-evaluations/schema.ts';
import { EXIT } from '../../runtime/exit.ts';
import { OC_FLAGS, type OcQuery } from '../cluster/oc.ts';
import { readDocuments, sendDocuments } from '../cluster/read-documents.ts';
import type { Command } from '../host.ts';
import { formatOf, outputFlag, printAnswer } from '../output.ts';
import { offlineService } from '../service/offline-service.ts';

/** Every own flag of the command is part of the policy. */
function pruneCommand(
  of: Pick<Command, 'name' | 'summary' | 'about' | 'examples'> & {
    readonly path: string;
    readonly policy: Flags;
    readonly queries: (args: ParsedArgs) => readonly OcQuery[];
    /** Sends the kinds that `oc` was asked for. */
    readonly sendsKinds?: boolean;
  },
): Command {
  const { path, policy, queries, sendsKinds = false, ...described } = of;
  return {
    ...described,
    arguments: '[FILE…]',
    most: Infinity,
    flags: { ...policy, output: outputFlag(['text', 'json', 'yaml']), ...OC_FLAGS },
    async run(args, host) {
      const { documents, resources } = await readDocuments(args, host, queries(args));
      const query = args.query(Object.keys(policy));
      if (sendsKinds && resources.length > 0) query.set('collected', resources.join(','));
      const format = formatOf(args);
      query.set('format', format === 'text' ? 'text' : 'json');
      const here = offlineService({ graphs: [], support: null }, host.clock);
      const answer = await sendDocuments(here, documents, { method: 'POST', path, query });
      printAnswer(answer.body, format, host);
      return EXIT.ready;
    },
  };
}

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
  sendsKinds: true,
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

type Dashed<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}-${Dashed<Tail>}`
  : Name;

const STRATEGY_FLAGS: Readonly<Record<Dashed<StrategyName>, Flag>> = {
  'keep-newest': { kind: 'text', value: 'NUMBER', help: 'all but so many of the newest of a kind may go' },
  'keep-newest-per': {
    kind: 'text',
    value: 'WHAT',
    help: 'count for each namespace, owner or label:NAME',
  },
  'older-than': { kind: 'text', value: 'TIME', help: 'objects older than this may go: 90m, 36h, 7d' },
};

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
    ...STRATEGY_FLAGS,
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
  queries: (args) => {
    const kinds = args.list('kinds');
    const wanted = kinds.length > 0 ? kinds : ['Pod', 'Job'];
    return wanted.map((kind) => ({ resource: ocNameOf(kind), everywhere: true }));
  },
});

/** `tekton.dev/v1/PipelineRun` is `pipelinerun.v1.tekton.dev` in oc. */
function ocNameOf(kind: string): string {
  const parts = kind.split('/');
  const [group, version, name] = [parts.at(-3), parts.at(-2), parts.at(-1)!.toLowerCase()];
  return [name, version, group].filter(Boolean).join('.');
}
