import type { Hop as PathHop, PathStep } from '../path/solve.ts';
import { kubernetesMinorOf, ordinalOf, updateTypeOf } from '../version/release-line.ts';
import { mustParseVersion, type ReleaseVersion } from '../version/release-version.ts';
import type { Hop } from './hop.ts';

/** The hops of a path, the source first, with what the update graph says of each; distances are from where the cluster is. */
export function hopsOfPath(
  path: readonly { readonly version: ReleaseVersion; readonly update: PathHop | null }[],
  current: ReleaseVersion | null,
): Hop[] {
  return path.slice(1).map(({ version: to, update }, index) => {
    const from = path[index]!.version;
    return {
      index,
      from,
      to,
      updateType: updateTypeOf(from, to),
      kubeFrom: kubernetesMinorOf(from).minor,
      kubeTo: kubernetesMinorOf(to).minor,
      minorDistance: ordinalOf(to) - ordinalOf(current ?? path[0]!.version),
      update,
    };
  });
}

/** The same of a path that was found. */
export function hopsOfSteps(
  steps: readonly Pick<PathStep, 'version' | 'hop'>[],
  current: ReleaseVersion | null,
): Hop[] {
  const path = steps.map(({ version, hop }) => ({ version: mustParseVersion(version), update: hop }));
  return hopsOfPath(path, current);
}
