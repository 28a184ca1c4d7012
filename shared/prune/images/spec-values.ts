/** Values of fields of a pruner's spec, apart from what reads it: the interface names them as well. */
export const MANAGEMENT_STATES = ['Managed', 'Removed', 'Unmanaged'] as const;
export const LOG_LEVELS = ['Normal', 'Debug', 'Trace', 'TraceAll'] as const;
