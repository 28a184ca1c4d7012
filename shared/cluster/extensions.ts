import type { InputValue } from '../input/input-value.ts';
import { nameOf } from './configuration.ts';
import type { CatalogFacts, ExtensionFacts, ExtensionProblem, ObjectSetFacts } from './extension-facts.ts';
import { readSelector } from './labels.ts';
import { readProperties } from './operators.ts';

export function readExtension(object: InputValue): ExtensionFacts {
  const catalog = object.at('spec', 'source', 'catalog');
  const bundle = object.at('status', 'install', 'bundle');
  return {
    name: nameOf(object),
    package: catalog.at('packageName').text(),
    channels: catalog.at('channels').texts(),
    version: catalog.at('version').text(),
    catalogSelector: readSelector(catalog.at('selector')),
    installed: bundle.isMissing
      ? null
      : { name: bundle.at('name').text(), version: bundle.at('version').text() },
    problems: object
      .at('status', 'conditions')
      .items()
      .map(readProblem)
      .filter((problem) => isDeprecation(problem) || isFailure(problem))
      .toSorted((a, b) => (a.type < b.type ? -1 : 1)),
  };
}

function readProblem(condition: InputValue): ExtensionProblem {
  return {
    type: condition.at('type').text(),
    status: condition.at('status').text(),
    reason: condition.at('reason').message(),
    message: condition.at('message').message(),
  };
}

/** `Deprecated` is the sum of the same for the package, the channel and the bundle. */
const DEPRECATION = /^(?:Package|Channel|Bundle)?Deprecated$/;
const FAILED: ReadonlySet<string> = new Set(['Blocked', 'Retrying']);

export function isDeprecation({ type, status }: ExtensionProblem): boolean {
  return DEPRECATION.test(type) && status === 'True';
}

/** Not installed, or an update that fails. */
export function isFailure({ type, status, reason }: ExtensionProblem): boolean {
  return type === 'Progressing' ? FAILED.has(reason) : type === 'Installed' && status === 'False';
}

const LEAST_PRIORITY = -(2 ** 31);

export function readCatalog(object: InputValue): CatalogFacts {
  const spec = object.at('spec');
  return {
    name: nameOf(object),
    labels: object.at('metadata', 'labels').labels(),
    image: spec.at('source', 'image', 'ref').text(),
    priority: spec.at('priority').integer({ least: LEAST_PRIORITY }) ?? 0,
    isAvailable: spec.at('availabilityMode').text() !== 'Unavailable',
  };
}

export const OWNER_KIND = 'olm.operatorframework.io/owner-kind';
export const OWNER_NAME = 'olm.operatorframework.io/owner-name';
export const BUNDLE_NAME = 'olm.operatorframework.io/bundle-name';
export const BUNDLE_VERSION = 'olm.operatorframework.io/bundle-version';

/** Null for an archived revision, and for one of another owner. */
export function readObjectSet(object: InputValue): ObjectSetFacts | null {
  const labels = object.at('metadata', 'labels');
  const annotations = object.at('metadata', 'annotations');
  const spec = object.at('spec');
  const isMeant =
    labels.at(OWNER_KIND).text() === 'ClusterExtension' && spec.at('lifecycleState').text() === 'Active';
  if (!isMeant) return null;
  return {
    name: nameOf(object),
    extension: labels.at(OWNER_NAME).text(),
    revision: spec.at('revision').count(),
    bundle: annotations.at(BUNDLE_NAME).text(),
    version: annotations.at(BUNDLE_VERSION).text(),
    properties: readProperties(annotations.at('olm.properties'), null),
  };
}
