import type { Hop } from '@cairn/shared/safety/hop';
import { ordinalOf } from '@cairn/shared/version/release-line';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import { aCluster, context } from '../cluster/clusters.ts';

export function hopsOf(...path: readonly string[]): readonly Hop[] {
  return path.length < 2 ? [] : context(aCluster(), path).hops;
}

/** Every minor of a range, with 5.0 after 4.22: `minorsBetween('4.21', '5.0')` is 4.21.0, 4.22.0, 5.0.0. */
export function minorsBetween(from: string, to: string): string[] {
  const [first, last] = [from, to].map((minor) => ordinalOf(mustParseVersion(`${minor}.0`)));
  const ordinals = Array.from({ length: last! - first! + 1 }, (_, index) => first! + index);
  return ordinals.map((ordinal) => (ordinal < 23 ? `4.${ordinal}.0` : `5.${ordinal - 23}.0`));
}

export function minorHops(from: string, to: string): readonly Hop[] {
  return hopsOf(...minorsBetween(from, to));
}
