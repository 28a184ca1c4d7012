export const HISTORY_MODES = ['cvo', 'fleet'] as const;
export const HISTORY_CLASSES = ['protected', 'minor-edge', 'minor-partial', 'z-partial', 'other'] as const;

/** What each criterion is worth; `position` is per place, counted from the newest. */
export const HISTORY_WEIGHTS = [
  'current',
  'initial',
  'newestCompleted',
  'final',
  'minorEdge',
  'minorPartial',
  'zPartial',
  'position',
] as const;
