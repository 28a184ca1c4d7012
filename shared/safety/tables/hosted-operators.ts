import { type Minor, minorOf, parseMinor } from '../../version/minor.ts';
import { ordinalOf } from '../../version/release-line.ts';

interface OperatorSupport {
  /** Release branch of the HyperShift operator. */
  readonly operator: Minor;
  readonly oldest: Minor;
  readonly newest: Minor;
}

/** Minors of hosted clusters by operator. Source: `supportedversion` on the release branches of HyperShift. */
const SUPPORTED: readonly OperatorSupport[] = [
  { operator: '4.16', oldest: '4.13', newest: '4.16' },
  { operator: '4.18', oldest: '4.14', newest: '4.18' },
  { operator: '4.19', oldest: '4.14', newest: '4.19' },
  { operator: '4.20', oldest: '4.14', newest: '4.20' },
  { operator: '4.21', oldest: '4.14', newest: '4.21' },
  { operator: '4.22', oldest: '4.14', newest: '4.22' },
  { operator: '5.0', oldest: '4.14', newest: '5.1' },
];

/** First known operator that supports a minor; null if none does. */
export function operatorFor(version: Parameters<typeof minorOf>[0]): Minor | null {
  const ordinal = ordinalOf(version);
  const support = SUPPORTED.find(
    ({ oldest, newest }) => ordinalOfMinor(oldest) <= ordinal && ordinal <= ordinalOfMinor(newest),
  );
  return support?.operator ?? null;
}

function ordinalOfMinor(minor: Minor): number {
  const [major = 0, rest = 0] = minor.split('.').map(Number);
  return ordinalOf({ major, minor: rest });
}

/** The operator lists minors as text. */
export function isListed(versions: readonly string[], version: Parameters<typeof minorOf>[0]): boolean {
  return versions.some((text) => parseMinor(text) === minorOf(version));
}
