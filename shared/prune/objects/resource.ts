/**
 * The member below these keys of something that came from anywhere: `at(pod, 'status', 'phase')`. Undefined for what is
 * missing or null, on the way too.
 */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : undefined;
  }
  return found ?? undefined;
}

/** Empty for what is no text. */
export function textAt(value: unknown, ...keys: readonly string[]): string {
  const found = at(value, ...keys);
  return typeof found === 'string' ? found : '';
}
