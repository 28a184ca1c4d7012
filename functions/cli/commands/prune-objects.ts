import type { Command } from '../command.ts';
import type { Flags } from '../../command-line/flags.ts';
import { type OcQuery, OC_FLAGS } from '../cluster/documents-oc.ts';
import { readDocuments } from '../cluster/documents-read-documents.ts';
import { sendDocuments } from '../cluster/send-documents.ts';
import { EXIT } from '../exit.ts';
import type { Given } from '../../command-line/parse.ts';
import { formatOf, outputFlag, printJson, printYaml } from '../output.ts';
import { hereService } from '../service/offline-service.ts';

/** A command that tells what of the documents would go by a policy: every flag of its own is a part of the policy. */
export function pruneCommand(
  of: Pick<Command, 'name' | 'summary' | 'about' | 'examples'> & {
    readonly path: string;
    readonly policy: Flags;
    readonly queries: (given: Given) => readonly OcQuery[];
    /** Whether it matters which kinds were asked for. */
    readonly isCollectionTold?: boolean;
  },
): Command {
  const { path, policy, queries, isCollectionTold = false, ...described } = of;
  return {
    ...described,
    arguments: '[FILE…]',
    most: Infinity,
    flags: { ...policy, output: outputFlag(['text', 'json', 'yaml']), ...OC_FLAGS },
    async run(given, machine) {
      const { documents, resources } = await readDocuments(given, machine, queries(given));
      const query = given.query(Object.keys(policy));
      if (isCollectionTold && resources.length > 0) query.set('collected', resources.join(','));
      const format = formatOf(given);
      query.set('format', format === 'text' ? 'text' : 'json');
      const here = hereService([], machine.clock);
      const answer = await sendDocuments(here, documents, { method: 'POST', path, query });
      if (format === 'yaml') printYaml(answer.body, machine);
      else if (format === 'json') printJson(answer.body, machine);
      else machine.out.write(answer.body);
      return EXIT.ready;
    },
  };
}
