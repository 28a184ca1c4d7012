/** `4.14`. Never compute "minor - 1": 5.0 follows 4.22. */
export type Minor = `${number}.${number}`;

const MINOR = /^(0|[1-9]\d{0,1})\.(0|[1-9]\d{0,2})$/;

export function parseMinor(text: string): Minor | null {
  return MINOR.test(text) ? (text as Minor) : null;
}

export function minorOf(version: { readonly major: number; readonly minor: number }): Minor {
  return `${version.major}.${version.minor}`;
}

/** Release order, not text order: `4.9` before `4.10` before `5.0`. */
export function compareMinors(a: Minor, b: Minor): number {
  const [aMajor = 0, aMinor = 0] = a.split('.').map(Number);
  const [bMajor = 0, bMinor = 0] = b.split('.').map(Number);
  return aMajor - bMajor || aMinor - bMinor;
}
