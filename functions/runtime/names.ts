/** What every event of Cairn says it comes from. */
export const EVENT_SOURCE = 'cairn';
