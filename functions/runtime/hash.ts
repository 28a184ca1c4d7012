import { createHash } from 'node:crypto';

export function sha256Hex(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Entity tag of what a response says, without what passes with time alone. */
export function weakEntityTag(content: unknown): string {
  return `W/"${sha256Hex(JSON.stringify(content)).slice(0, 32)}"`;
}
