import { type Route, takesDocuments } from '../../functions/http/route.ts';
import type { AccessSettings } from './settings/settings.ts';

type Access = Route['access'];

/** What a caller may hold; the higher include the lower. */
export const LEVELS = ['read', 'write', 'admin'] as const;

export type Level = (typeof LEVELS)[number];

/** The lowest level that opens a route where it is closed; what is always open needs none. */
const LEVEL_OF: Readonly<Record<Exclude<Access, 'open'>, Level>> = {
  graph: 'read',
  public: 'read',
  read: 'read',
  write: 'write',
  admin: 'admin',
};

/** Whether who holds a level may call such a route. */
export function reaches(level: Level, access: Access): boolean {
  return access === 'open' || LEVELS.indexOf(level) >= LEVELS.indexOf(LEVEL_OF[access]);
}

/** Scopes of a token of which one opens such a route. */
export function scopesOf(access: Exclude<Access, 'open'>): string[] {
  return LEVELS.filter((level) => reaches(level, access)).map((level) => `fleet:${level}`);
}

/** Why such a route is open to everyone in a deployment; null when it is not. */
export function whyOpen(access: Access, { publicReleaseData }: AccessSettings): string | null {
  if (access === 'open') {
    return 'files of the console and a constant, the same in every deployment; data comes from routes that are not open';
  }
  if (access === 'graph' && publicReleaseData !== 'none') {
    return 'the settings of this deployment let clusters poll it, which cannot sign a request (access.publicReleaseData)';
  }
  return access === 'public' && publicReleaseData === 'all'
    ? 'the settings of this deployment open release data to everyone (access.publicReleaseData)'
    : null;
}

export interface Throttle {
  /** Requests per second. */
  readonly rate: number;
  /** Requests at once. */
  readonly burst: number;
}

/** Of one route: each has its own, and that of the stage where none is said here. */
export const THROTTLES = {
  stage: { rate: 200, burst: 400 },
  write: { rate: 20, burst: 40 },
  admin: { rate: 2, burst: 10 },
  /** Reading megabytes takes up to a second of CPU: 10,000 clusters that report once an hour need 3 a second. */
  documents: { rate: 10, burst: 20 },
  /** Polled by everyone, without CloudFront to answer most of it. */
  openGraph: { rate: 50, burst: 100 },
} as const satisfies Readonly<Record<string, Throttle>>;

/** Null where that of the stage is right. */
export function throttleOf(
  route: Pick<Route, 'access' | 'documents' | 'bodyValues' | 'isForUploads'>,
  settings: { readonly access: AccessSettings; readonly cloudFront: boolean },
): Throttle | null {
  const { access } = route;
  if (access === 'admin') return THROTTLES.admin;
  if (takesDocuments(route)) return THROTTLES.documents;
  if (access === 'write') return THROTTLES.write;
  const isPolledDirectly = access === 'graph' && whyOpen(access, settings.access) !== null;
  return isPolledDirectly && !settings.cloudFront ? THROTTLES.openGraph : null;
}
