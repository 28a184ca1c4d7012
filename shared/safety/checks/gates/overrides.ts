import { countInWords, namesInWords } from '../../../text/words.ts';
import { minorOf } from '../../../version/minor.ts';
import { ordinalOf } from '../../../version/release-line.ts';
import {
  type ConditionObject,
  type Finding,
  asExpected,
  finding,
  inputMissing,
  type Check,
} from '../../condition.ts';
import type { Hop } from '../../hop.ts';

const TYPE = 'OverridesUnset';

/** First minor whose clusters accept patch updates with overrides set. */
const TAKES_PATCHES_WITH_OVERRIDES = { major: 4, minor: 22 };

/** An unmanaged component stays at its version, so overrides block the next minor. */
export const overrides: Check = ({ facts: { clusterVersion }, hop }) => {
  if (clusterVersion === null) {
    return [inputMissing(TYPE, 'the ClusterVersion was', ['oc get clusterversion -o json'])];
  }
  const objects = clusterVersion.unmanagedOverrides
    .toSorted((a, b) => inOrder(a.group, b.group))
    .map(({ kind, group, namespace, name }): ConditionObject => ({
      kind,
      ...(namespace !== '' && { namespace }),
      name,
      ...(group !== '' && { detail: { group } }),
    }))
    .toSorted(byPlace);
  if (objects.length === 0) {
    return [asExpected(TYPE, 'The cluster manages all of its components')];
  }
  return [overridesSet(objects), ...refusedByCluster(hop)];
};

function overridesSet(objects: readonly ConditionObject[]): Finding {
  const names = objects.map(nameOf);
  const message = `${countInWords(names.length, 'component')} ${names.length === 1 ? 'is' : 'are'} unmanaged (spec.overrides), and an update does not change ${names.length === 1 ? 'it' : 'them'}: ${namesInWords(names)}`;
  return {
    ...finding({
      type: TYPE,
      status: 'False',
      reason: 'ClusterVersionOverridesSet',
      message,
      effect: 'block',
    }),
    objects,
    remediation: [
      'Remove spec.overrides of the ClusterVersion, so that the cluster manages all components again',
      `oc patch clusterversion/version --type=json -p '[{"op":"remove","path":"/spec/overrides"}]'`,
    ],
  };
}

/** Cairn allows patch updates; clusters before 4.22 refuse them. */
function refusedByCluster({ updateType, from }: Hop): readonly Finding[] {
  if (updateType !== 'patch' || ordinalOf(from) >= ordinalOf(TAKES_PATCHES_WITH_OVERRIDES)) return [];
  const message = `Clusters before ${minorOf(TAKES_PATCHES_WITH_OVERRIDES)} refuse patch updates too while overrides are set`;
  return [
    {
      ...finding({
        type: TYPE,
        status: 'True',
        reason: 'PeerBlocksPatchWithOverrides',
        message,
        effect: 'warn',
      }),
      origin: 'catalogue',
    },
  ];
}

function nameOf({ kind, namespace, name }: ConditionObject): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** Objects of the same name keep the order of their groups. */
function byPlace(a: ConditionObject, b: ConditionObject): number {
  return inOrder(nameOf(a), nameOf(b));
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
