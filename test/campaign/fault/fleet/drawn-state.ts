/** What upstream offers: patches of 4.19 and of 4.20, and updates between the two that have a risk, as `4.19.8 4.20.3`. */
export interface Offer {
  readonly patches: readonly string[];
  readonly minors: readonly string[];
  readonly risky: ReadonlySet<string>;
}

/** What a cluster is, and the how manieth under its name. */
export interface ClusterState {
  readonly life: number;
  readonly bornAt: number;
  readonly version: string;
  readonly isBlocked: boolean;
}

export const RISK = 'SlowBoot';

/** The newest patch of its minor; none when the cluster runs it. */
export function newerPatch({ patches }: Offer, { version }: ClusterState): string | null {
  const newest = patches.at(-1)!;
  return newest === version ? null : newest;
}

export function isPlain({ risky }: Offer, from: string, to: string): boolean {
  return !risky.has(`${from} ${to}`);
}

/** The risk applies to every cluster: it is news where an update from its version has it. */
export function isExposed({ risky }: Offer, { version }: ClusterState): boolean {
  return [...risky].some((update) => update.startsWith(`${version} `));
}

/** Every patch leads to all later ones without a risk: it is open if any of them leads on. */
export function isOpen(offer: Offer, { version }: ClusterState): boolean {
  const { patches, minors } = offer;
  const reached = patches.slice(patches.indexOf(version));
  return reached.some((from) => minors.some((to) => isPlain(offer, from, to)));
}
