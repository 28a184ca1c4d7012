import type { Hop } from '@cairn/shared/skew/hop';
import { ordinalOf } from '@cairn/shared/version/release-line';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import { aCluster, context } from '../skew/clusters.ts';

/** The hops of a path of versions. */
export function hopsOf(...path: readonly string[]): readonly Hop[] {
  return path.length < 2 ? [] : context(aCluster(), path).hops;
}

/** From one minor to another through every minor between, with 5.0 after 4.22: `minorHops('4.21', '5.1')`. */
export function minorHops(from: string, to: string): readonly Hop[] {
  const [first, last] = [from, to].map((minor) => ordinalOf(mustParseVersion(`${minor}.0`)));
  const ordinals = Array.from({ length: last! - first! + 1 }, (_, index) => first! + index);
  return hopsOf(...ordinals.map((ordinal) => (ordinal < 23 ? `4.${ordinal}.0` : `5.${ordinal - 23}.0`)));
}
