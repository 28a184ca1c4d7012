import { isInFuture } from '@cairn/shared/time/future';

const MINUTE = 60_000;

/** `just now`, `4 min old`, `3 h old`, `2 days old`; `dated in the future` for a wrong clock */
export function ageInWords(at: string, now: number): string {
  if (isInFuture(at, now)) return 'dated in the future';
  const minutes = Math.floor((now - Date.parse(at)) / MINUTE);
  if (minutes < 1) return 'just now';
  if (minutes < 100) return `${minutes} min old`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h old` : `${Math.floor(hours / 24)} days old`;
}

/** Local time to the minute: `16 Nov 2026, 11:05`. */
export function localTime(at: string): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Service texts start in lower case without a period. Keeps names and versions. */
export function sentence(text: string): string {
  const begun = /^[a-z]+[ ,']/.test(text) ? text[0]!.toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** `sha256:20b5c12f3ca2…fb9136`: enough to compare visually. */
export function shortDigest(digest: string, lastLetters = 6): string {
  return digest.length > 30 ? `${digest.slice(0, 19)}…${digest.slice(-lastLetters)}` : digest;
}
