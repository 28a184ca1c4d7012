/** Narrower than what browsers take, because clients parse with Go: visible ASCII and whole percent escapes only. */
const HTTP_URL = /^https?:\/\/[a-z0-9][a-z0-9.-]*(?::\d{1,5})?(?:[/?#](?:[!-$&-~]|%[0-9a-f]{2})*)?$/i;

export function isHttpUrl(text: string): boolean {
  return HTTP_URL.test(text) && URL.canParse(text);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value of the answer as it may stand in a report or a log line: short, and with control characters escaped. */
export function quote(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return escapeInvisible(JSON.stringify(value.length > 64 ? `${value.slice(0, 64)}…` : value));
}

/** JSON leaves direction marks and zero-width characters as they are; a terminal would obey them. */
function escapeInvisible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  );
}
