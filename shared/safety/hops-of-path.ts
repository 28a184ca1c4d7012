import type { PathStep } from '../path/solver/solve.ts';
import { kubernetesMinorOf, ordinalOf, updateTypeOf } from '../version/release-line.ts';
import { mustParseVersion, type ReleaseVersion } from '../version/release-version.ts';
import type { Hop } from './hop.ts';

/** The hops of a path, the source first, with what the update graph says of each; distances are from where the cluster is. */
export function hopsOfSteps(
  steps: readonly Pick<PathStep, 'version' | 'hop'>[],
  current: ReleaseVersion | null,
): Hop[] {
  const versions = steps.map(({ version }) => mustParseVersion(version));
  return steps.slice(1).map(({ hop: update }, index) => {
    const from = versions[index]!;
    const to = versions[index + 1]!;
    return {
      index,
      from,
      to,
      updateType: updateTypeOf(from, to),
      kubeFrom: kubernetesMinorOf(from).minor,
      kubeTo: kubernetesMinorOf(to).minor,
      minorDistance: ordinalOf(to) - ordinalOf(current ?? versions[0]!),
      update,
    };
  });
}
