import { groupBy } from '../../collection/group-by.ts';
import { shellWord } from '../../text/quote.ts';
import { type GroupVersionKind, kindText, type Resource } from './resource.ts';

export interface DeleteCommand {
  readonly command: string;
  readonly kind: GroupVersionKind;
  readonly namespace: string | null;
  /** Oldest first. */
  readonly resources: readonly Resource[];
}

/** Names per command; longer lines are hard to review. */
const MOST_NAMES = 50;

/**
 * One command per kind and namespace, in the order of their first object:
 * `oc delete pod -n ci --ignore-not-found build-1 build-2`. All objects must pass `canBeInCommand`.
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
 * Quoting does not protect against a name that starts with `-` (an option) or contains a slash (another kind). Clusters
 * have no such names; documents can.
 */
export function canBeInCommand({ name, namespace }: Pick<Resource, 'name' | 'namespace'>): boolean {
  return isPlain(name) && (!namespace || isPlain(namespace));
}

/** Also rejects invisible characters: controls, direction marks, lone surrogates. */
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

/** `pod`, `job`; other kinds with version and group, since kind names can collide. */
function resourceName({ group, version, kind }: GroupVersionKind): string {
  const isPlainKind = group === '' || (group === 'batch' && kind === 'Job');
  return shellWord(isPlainKind ? kind.toLowerCase() : `${kind}.${version}.${group}`);
}
