import { groupBy } from '../collection/group-by.ts';
import {
  type OperatorCatalog,
  type OperatorContent,
  type OperatorPackage,
  PLATFORM_ONLY,
} from '../path/mirror-list.ts';
import { joinInWords, listInWords } from '../text/words.ts';
import { type Minor, minorOf } from '../version/minor.ts';
import { mustParseVersion } from '../version/release-version.ts';
import type { PlanHop } from './figures.ts';
import {
  inOrder,
  type InstalledFacts,
  type InstalledPackage,
  installedPackages,
  keyOf,
} from './installed-packages.ts';

interface OperatorsQuestion {
  readonly facts: InstalledFacts;
  /** Versions of the path, current version first; empty without a path. */
  readonly path: readonly string[];
  readonly hops: readonly Pick<PlanHop, 'minorDistance' | 'conditions'>[];
}

/**
 * Lists the catalogs of every later minor with the installed packages. The mirror already has the catalogs of the
 * current minor. The exception: packages that block leaving the minor may need a newer catalog than the mirror has.
 */
export function operatorsToMirror({ facts, path, hops }: OperatorsQuestion): OperatorContent {
  const installed = installedPackages(facts);
  if (installed === null) return PLATFORM_ONLY;
  const [current, ...passed] = [...new Set(path.map((version) => minorOf(mustParseVersion(version))))];
  if (current === undefined) return { catalogs: [], notes: [] };
  const none = (...notes: readonly string[]): OperatorContent => ({ catalogs: [], notes });
  if (passed.length === 0) {
    return none(`No operators: the way stays in ${current}, whose catalogs the cluster has`);
  }
  const { packages, notes, leftOut } = installed;
  if (packages.length === 0) return none('No operators: none is from a catalog', ...leftOut);
  const urgent = packages.filter(isToBeUpdatedFirst(hops));
  return {
    catalogs: [...catalogsOf(current, urgent), ...passed.flatMap((minor) => catalogsOf(minor, packages))],
    notes: [scopeInWords(current, passed, urgent), ...notes, ...leftOut],
  };
}

/** Selects operators that are incompatible with the next minor. */
function isToBeUpdatedFirst(hops: OperatorsQuestion['hops']): (installed: InstalledPackage) => boolean {
  const leaving = hops.find(({ minorDistance }) => minorDistance > 0)?.conditions ?? [];
  const against = new Set(
    leaving
      .filter(({ reason }) => reason === 'IncompatibleOperatorsInstalled')
      .flatMap(({ objects = [] }) => objects.map(({ namespace = '', name }) => keyOf(namespace, name))),
  );
  return ({ versions }) => versions.some((version) => against.has(version));
}

function catalogsOf(minor: Minor, packages: readonly InstalledPackage[]): OperatorCatalog[] {
  const byCatalog = groupBy(packages, (each) => imageOf(each, minor) ?? each.source);
  return [...byCatalog.values()]
    .map((same): OperatorCatalog => ({
      minor,
      catalog: imageOf(same[0]!, minor),
      sources: inOrder(same.flatMap(({ source }) => source ?? [])),
      packages: byPackage(same),
    }))
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

function byPackage(installed: readonly InstalledPackage[]): OperatorPackage[] {
  const byName = groupBy(installed, ({ name }) => name);
  return Array.from(byName, ([name, same]) => ({
    name,
    channels: inOrder(same.flatMap(({ channels }) => channels)),
  })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Sorts catalogs with an image first: `~` sorts after every name. */
function orderOf({ catalog, sources }: OperatorCatalog): string {
  return catalog ?? `~${sources.join()}`;
}

function imageOf({ index }: InstalledPackage, minor: Minor): string | null {
  return index === null ? null : `${index}:v${minor}`;
}

function scopeInWords(current: Minor, passed: readonly Minor[], urgent: readonly InstalledPackage[]): string {
  const scope = `Operators of the catalogs of ${joinInWords(passed)}; those of ${current} are left out, as the cluster has them`;
  if (urgent.length === 0) return scope;
  const names = listInWords(inOrder(urgent.map(({ name }) => name)));
  return `${scope}, but for what has to be updated before it leaves ${current}: ${names}`;
}
