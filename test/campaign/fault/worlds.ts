import type { World } from './world.ts';

/** Loaded when they are needed: a worker mostly tries one of them. */
const WORLDS: Readonly<Record<World['name'], () => Promise<World>>> = {
  sync: async () => (await import('./sync/world.ts')).syncWorld,
  clusters: async () => (await import('./clusters/world.ts')).clustersWorld,
  fleet: async () => (await import('./fleet/world.ts')).fleetWorld,
  prune: async () => (await import('./prune/world.ts')).pruneWorld,
};

export type WorldName = World['name'];

export const WORLD_NAMES = Object.keys(WORLDS) as readonly WorldName[];

export function loadWorld(name: WorldName): Promise<World> {
  return WORLDS[name]();
}
