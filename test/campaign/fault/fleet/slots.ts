export const MINUTE = 60_000;
export const SLOT_MS = 5 * MINUTE;

/** How long it is to the start of a slot so many on. */
export function untilSlot(slots = 1): number {
  return slots * SLOT_MS - (Date.now() % SLOT_MS);
}
