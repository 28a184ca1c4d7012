import { ordinalOf } from '../../version/release-line.ts';
import type { ReleaseVersion } from '../../version/release-version.ts';
import type { SkewPolicy } from '../hop.ts';

/** 4.7 is the first release whose API server guards skew. */
const FIRST_GUARDED = 7;
/** Kubernetes limit before the guard existed; 4.2 → 4.3 needs it, since it crosses two Kubernetes minors. */
const UNGUARDED_LIMIT = 2;
/** Source: the guard of the kube-apiserver operator, by API server minor. */
const GUARDED_BEFORE_FIVE = [2, 1] as const;
const GUARDED_FROM_FIVE = [1, 2, 3] as const;

/** First kubelet that Kubernetes supports three minors behind. Source: the Kubernetes version skew policy. */
const FIRST_WITH_THREE = 25;

/** Kubernetes version skew policy: 2 for 1.24, 3 for 1.25. */
export function upstreamKubeletLimit(kubeletMinor: number): number {
  return kubeletMinor < FIRST_WITH_THREE ? 2 : 3;
}

/** HyperShift allows node pools three minors behind, from operator version 4.21 on. */
const FIXED_LIMITS = { 'n-1': 1, 'n-2': 2, 'n-3': 3, hosted: 3 } as const;

/** With policy `openshift`: 2 at 4.8, 1 at 4.9, 3 at 5.2. */
export function kubeletLimit(
  policy: SkewPolicy,
  version: Pick<ReleaseVersion, 'major' | 'minor'>,
  kubeletMinor: number,
): number {
  if (policy === 'upstream') return upstreamKubeletLimit(kubeletMinor);
  if (policy !== 'openshift') return FIXED_LIMITS[policy];
  return Math.min(guardedLimit(version), upstreamKubeletLimit(kubeletMinor));
}

function guardedLimit(version: Pick<ReleaseVersion, 'major' | 'minor'>): number {
  if (version.major >= 5) return GUARDED_FROM_FIVE[version.minor % 3]!;
  return ordinalOf(version) < FIRST_GUARDED ? UNGUARDED_LIMIT : GUARDED_BEFORE_FIVE[version.minor % 2]!;
}
