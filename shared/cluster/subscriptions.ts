import type { SubscriptionFacts } from './facts.ts';
import type { Field } from '../input/input-value.ts';

export function readSubscription(object: Field): SubscriptionFacts {
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
