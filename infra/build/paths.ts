import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const SHARED = fileURLToPath(new URL('../../shared', import.meta.url));
/** Holds what is packed, only while it is being packed. */
export const DIST = fileURLToPath(new URL('../../shared/dist', import.meta.url));
