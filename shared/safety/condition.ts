const PAGE = 'docs/upgrade-safety.md';

/** Where a type of condition is explained: `docs/upgrade-safety.md#poolsready` for `PoolsReady`. */
export function docsOf(type: string): string {
  return `${PAGE}#${type.toLowerCase()}`;
}
