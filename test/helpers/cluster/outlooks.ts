import type { AssessedUpgrade } from '@cairn/shared/fleet/assessment';

/** A cluster on 4.14.20 with a recommended update path to 4.15.7. */
export function anOutlook(changes: Partial<AssessedUpgrade> = {}): AssessedUpgrade {
  return {
    from: '4.14.20',
    question: '4.15',
    target: '4.15.7',
    verdict: 'ready',
    path: [{ from: '4.14.20', to: '4.15.7', risks: [] }],
    noPath: null,
    channels: ['stable-4.15'],
    newerPatch: null,
    blockers: [],
    removedApis: [],
    minutes: { expected: 90, max: 150 },
    ...changes,
  };
}
