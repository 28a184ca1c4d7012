export const HISTORY_MODES = ['cvo', 'fleet'] as const;
export const HISTORY_CLASSES = ['protected', 'minor-edge', 'minor-partial', 'z-partial', 'other'] as const;

/** `position` is the weight per position from the newest entry. */
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
