import type { InputValue } from '../input/input-value.ts';
import { sourceItems, sourceMembers } from '../json/members.ts';
import { readConditions } from './cluster-version.ts';
import type { DeclaredProperties, DeclaredProperty } from './extension-facts.ts';
import type { ClusterOperatorFacts, OperatorFacts, SubscriptionFacts } from './facts.ts';

/** Release manifests carry these annotations to select cluster profiles. */
const RELEASE_ANNOTATION = /^(?:in|ex)clude\.release\.openshift\.io\//;

export function readClusterOperator(object: InputValue): ClusterOperatorFacts {
  return {
    name: object.at('metadata', 'name').text(),
    platform: object
      .at('metadata', 'annotations')
      .entries()
      .some(([key]) => RELEASE_ANNOTATION.test(key)),
    conditions: readConditions(object.at('status', 'conditions')),
    versions: object
      .at('status', 'versions')
      .items()
      .map((operand) => ({ name: operand.at('name').text(), version: operand.at('version').text() }))
      .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
  };
}

/** Reads a ClusterServiceVersion; null for a copy in a namespace that the operator only watches. */
export function readOperator(object: InputValue): OperatorFacts | null {
  const metadata = object.at('metadata');
  const annotations = metadata.at('annotations');
  const spec = object.at('spec');
  const status = object.at('status');
  const namespace = metadata.at('namespace').text();
  const reason = status.at('reason').message();
  const home = annotations.at('olm.operatorNamespace').text();
  const isCopy =
    !metadata.at('labels', 'olm.copiedFrom').isMissing ||
    (home !== '' && home !== namespace) ||
    reason === 'Copied';
  if (isCopy) return null;
  return {
    namespace,
    name: metadata.at('name').text(),
    displayName: spec.at('displayName').text(),
    version: spec.at('version').text(),
    minKubeVersion: spec.at('minKubeVersion').text(),
    phase: status.at('phase').text(),
    ...(reason !== '' && { reason }),
    components: metadata
      .at('labels')
      .sortedEntries()
      .flatMap(([key]) => readComponent(key)),
    properties: readProperties(annotations.at('operatorframework.io/properties'), 'properties'),
    declaredProperties: readProperties(annotations.at('olm.properties'), null),
  };
}

const COMPONENT = 'operators.coreos.com/';
/** Kubernetes limit for label names. */
const LABEL_LENGTH = 63;

function readComponent(label: string): string[] {
  const name = label.startsWith(COMPONENT) ? label.slice(COMPONENT.length) : '';
  return name !== '' && name.length <= LABEL_LENGTH ? [name] : [];
}

/** Version limits only; the annotation has many more properties, such as all APIs of the operator. */
const VERSION_LIMIT = /^olm\.(?:min|max)(?:OpenShift|Kube)Version$/;

/** Parses an annotation with JSON: an array of properties, or an object with that array below `key`. */
export function readProperties(annotation: InputValue, key: string | null): DeclaredProperties {
  if (annotation.isMissing) return null;
  const json = annotation.text(Infinity);
  if (!isJson(json)) return { unreadable: 'it is not JSON' };
  if (key !== null && !json.trimStart().startsWith('{')) return { unreadable: 'it is not a JSON object' };
  const list = key === null ? json.trim() : (sourceMembers(json).get(key) ?? 'null');
  if (list === 'null') return [];
  if (!list.startsWith('[')) return { unreadable: 'its properties are not an array' };
  const properties = sourceItems(list).map(readProperty);
  const unreadable = properties.indexOf(null);
  if (unreadable >= 0) return { unreadable: `its property ${unreadable} is not an object with a type` };
  return properties.filter(
    (property) => property !== null && VERSION_LIMIT.test(property.type),
  ) as DeclaredProperty[];
}

function readProperty(json: string): DeclaredProperty | null {
  if (!json.startsWith('{')) return null;
  const members = sourceMembers(json);
  const type = members.get('type') ?? '';
  if (!type.startsWith('"')) return null;
  return { type: JSON.parse(type) as string, value: asWritten(members.get('value') ?? '') };
}

/** Strings without quotes; numbers as written. */
function asWritten(json: string): string {
  return (json.startsWith('"') ? (JSON.parse(json) as string) : json).slice(0, 256);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function readSubscription(object: InputValue): SubscriptionFacts {
  const metadata = object.at('metadata');
  const spec = object.at('spec');
  const status = object.at('status');
  return {
    namespace: metadata.at('namespace').text(),
    name: metadata.at('name').text(),
    package: spec.at('name').text(),
    channel: spec.at('channel').text(),
    source: spec.at('source').text(),
    sourceNamespace: spec.at('sourceNamespace').text(),
    startingCsv: spec.at('startingCSV').text(),
    installedCsv: status.at('installedCSV').text(),
    currentCsv: status.at('currentCSV').text(),
  };
}
