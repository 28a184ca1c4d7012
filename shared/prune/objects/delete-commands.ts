import { groupBy } from '../../collection/group-by.ts';
import { shellWord } from '../../text/quote.ts';
import { type GroupVersionKind, kindText, type Resource } from './resource.ts';

/** One command, and what it is about. */
export interface DeleteCommand {
  readonly command: string;
  readonly kind: GroupVersionKind;
  readonly namespace: string | null;
  /** Oldest first. */
  readonly resources: readonly Resource[];
}

/** More would be a line that nobody can review. */
const MOST_NAMES = 50;

/**
 * The commands that delete these, one for each kind and namespace, in the order of the first of each:
 * `oc delete pod -n ci --ignore-not-found build-1 build-2`. All must pass `canBeInCommand`.
 */
export function deleteCommands(resources: readonly Resource[]): DeleteCommand[] {
  const groups = groupBy(resources, ({ kind, namespace }) => `${kindText(kind)} ${namespace ?? ''}`);
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / MOST_NAMES) }, (_, index) =>
      deleteCommand(group.slice(index * MOST_NAMES, (index + 1) * MOST_NAMES)),
    ),
  );
}

/**
 * Whether a command can name the object and nothing else: quotes do not keep a name that begins with `-` from being an
 * option, nor one with a slash from being of another kind. No cluster has such names; a document may.
 */
export function canBeInCommand({ name, namespace }: Pick<Resource, 'name' | 'namespace'>): boolean {
  return isPlain(name) && (!namespace || isPlain(namespace));
}

/** Not seen are control characters, those that turn the direction of text, and halves of characters. */
function isPlain(name: string): boolean {
  return name.length <= 253 && /^[^-/][^/]*$/.test(name) && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(name);
}

function deleteCommand(resources: readonly Resource[]): DeleteCommand {
  const { kind, namespace } = resources[0]!;
  const words = [
    'oc delete',
    resourceName(kind),
    ...(namespace === null ? [] : ['-n', shellWord(namespace)]),
    '--ignore-not-found',
    ...resources.map(({ name }) => shellWord(name)),
  ];
  return { command: words.join(' '), kind, namespace, resources };
}

/** What `oc` calls it: `pod`, `job`; a kind that others may have the name of with its version and group. */
function resourceName({ group, version, kind }: GroupVersionKind): string {
  const isPlainKind = group === '' || (group === 'batch' && kind === 'Job');
  return shellWord(isPlainKind ? kind.toLowerCase() : `${kind}.${version}.${group}`);
}
