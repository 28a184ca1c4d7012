import type { CatalogFacts, DeclaredProperties, ExtensionFacts, ObjectSetFacts } from './extension-facts.ts';
import { BUNDLE_NAME, BUNDLE_VERSION, OWNER_KIND, OWNER_NAME } from './extensions.ts';
import type { ClusterCondition, OperatorFacts, SubscriptionFacts } from './facts.ts';
import { isPartial, type Json, listDocument, type Writers } from './reduced-configuration.ts';

export const OPERATOR_WRITERS: Writers<
  'operators' | 'subscriptions' | 'extensions' | 'catalogs' | 'objectSets'
> = {
  operators: (all, facts) => [
    listDocument('ClusterServiceVersion', all.map(operatorDocument), isPartial(facts, 'operators')),
  ],
  subscriptions: (all) => [listDocument('Subscription', all.map(subscriptionDocument))],
  extensions: (all) => [listDocument('ClusterExtension', all.map(extensionDocument))],
  catalogs: (all) => [listDocument('ClusterCatalog', all.map(catalogDocument))],
  objectSets: (all) => [listDocument('ClusterObjectSet', all.map(objectSetDocument))],
};

export function conditionDocument({ since, ...condition }: ClusterCondition): Json {
  return { ...condition, ...(since !== null && { lastTransitionTime: since }) };
}

function operatorDocument(facts: OperatorFacts): Json {
  const { namespace, name, displayName, version, minKubeVersion, phase } = facts;
  const properties = propertiesText(facts.properties, (list) => `{"properties":${list}}`);
  const declared = propertiesText(facts.declaredProperties, (list) => list);
  return {
    metadata: {
      namespace,
      name,
      labels: Object.fromEntries(facts.components.map((part) => [`operators.coreos.com/${part}`, ''])),
      annotations: {
        ...(properties !== null && { 'operatorframework.io/properties': properties }),
        ...(declared !== null && { 'olm.properties': declared }),
      },
    },
    spec: { displayName, version, minKubeVersion },
    status: { phase, ...(facts.reason !== undefined && { reason: facts.reason }) },
  };
}

function subscriptionDocument(facts: SubscriptionFacts): Json {
  const { namespace, name, channel, source, sourceNamespace, startingCsv, installedCsv, currentCsv } = facts;
  return {
    metadata: { namespace, name },
    spec: { name: facts.package, channel, source, sourceNamespace, startingCSV: startingCsv },
    status: { installedCSV: installedCsv, currentCSV: currentCsv },
  };
}

function extensionDocument(facts: ExtensionFacts): Json {
  const { name, channels, version, catalogSelector, installed, problems } = facts;
  const catalog = { packageName: facts.package, channels, version, selector: catalogSelector };
  return {
    metadata: { name },
    spec: { source: { catalog } },
    status: {
      ...(installed !== null && { install: { bundle: installed } }),
      conditions: problems,
    },
  };
}

function catalogDocument({ name, labels, image, priority, isAvailable }: CatalogFacts): Json {
  return {
    metadata: { name, labels },
    spec: {
      source: { image: { ref: image } },
      priority,
      ...(!isAvailable && { availabilityMode: 'Unavailable' }),
    },
  };
}

function objectSetDocument(facts: ObjectSetFacts): Json {
  const { name, extension, revision, bundle, version } = facts;
  const properties = propertiesText(facts.properties, (list) => list);
  return {
    metadata: {
      name,
      labels: { [OWNER_KIND]: 'ClusterExtension', [OWNER_NAME]: extension },
      annotations: {
        [BUNDLE_NAME]: bundle,
        [BUNDLE_VERSION]: version,
        ...(properties !== null && { 'olm.properties': properties }),
      },
    },
    spec: { lifecycleState: 'Active', revision },
  };
}

/** Writes unreadable text as text that is unreadable for the same reason. */
function propertiesText(properties: DeclaredProperties, inPlace: (list: string) => string): string | null {
  if (properties === null) return null;
  if (!('unreadable' in properties)) return inPlace(JSON.stringify(properties));
  const { unreadable } = properties;
  const [, property] = /^its property (\d+) /.exec(unreadable) ?? [];
  if (property !== undefined) {
    return inPlace(JSON.stringify([...Array.from({ length: Number(property) }, () => ({ type: '' })), 0]));
  }
  if (unreadable === 'its properties are not an array') return inPlace('0');
  return unreadable === 'it is not a JSON object' ? '[]' : '';
}
