import { readConditions } from './conditions.ts';
import type { ClusterOperatorFacts } from './facts.ts';
import type { Field } from '../input/input-value.ts';

/** Manifests of a release say with these in which kinds of cluster they belong. */
const RELEASE_ANNOTATION = /^(?:in|ex)clude\.release\.openshift\.io\//;

export function readClusterOperator(object: Field): ClusterOperatorFacts {
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
