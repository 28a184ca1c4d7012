import { describe, expect, it } from 'vitest';
import type { UpdateStatusView } from '../../../../../functions/console/data/responses.ts';
import type { Insight } from '../../../../../functions/console/updates/insights.tsx';
import type { PastUpdate } from '../../../../../functions/console/updates/pools.tsx';
import {
  factsOf,
  forecastInWords,
  reasonOf,
  tookInWords,
  verdictOf,
} from '../../../../../functions/console/updates/status-words.ts';
import { clock } from '../../../../../functions/console/updates/words.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const time = (minute: number): string => new Date(NOW + minute * 60_000).toISOString();

/** The parts that words are made of. */
function aStatus(changes: object = {}): UpdateStatusView {
  return {
    at: time(0),
    state: 'workers',
    target: { version: '4.16.68', kind: 'update' },
    startedAt: time(-90),
    controlPlane: {
      assessment: 'Completed',
      completion: { updated: 34, total: 34 },
      durationSeconds: 58 * 60,
    },
    pools: [{ counts: { updated: 3, total: 3 } }, { counts: { updated: 14, total: 21 } }],
    forecast: { whole: null, heldNodes: 0 },
    insights: [],
    ...changes,
  } as unknown as UpdateStatusView;
}

const whole = {
  likelyAt: time(85),
  earliestAt: time(60),
  latestAt: time(100),
  restsOn: '5 nodes.',
  overdueSeconds: 0,
};
const past = { version: '4.16.68' } as PastUpdate;

describe('the verdict of an update', () => {
  it.each([
    [{ state: 'stalled' }, null, 'Update to 4.16.68 is stalled'],
    [{ state: 'control-plane' }, null, 'Update to 4.16.68 is on track'],
    [{ state: 'held' }, null, 'Update to 4.16.68 is paused'],
    [{ state: 'silent' }, null, 'Update to 4.16.68 is silent'],
    [{ target: { version: '4.16.68', kind: 'install' } }, null, 'Installation of 4.16.68 is on track'],
    [{ state: 'completed', target: null }, past, 'Update to 4.16.68 is complete'],
    [{ state: 'completed', target: null }, null, 'Update is complete'],
    [{ state: 'none', target: null }, past, 'No update in progress'],
  ])('of %o', (changes, newest, title) => {
    expect(verdictOf(aStatus(changes), newest).title).toBe(title);
  });

  it('has how far each part is, and the end', () => {
    const end = (changes: object) => factsOf(aStatus(changes)).at(-1)!.join(': ');
    expect(factsOf(aStatus()).slice(1, 3)).toEqual([
      ['Control plane', 'Done in 58 min'],
      ['Nodes', '17 of 24'],
    ]);
    expect(end({})).toBe('Likely end: Unknown');
    expect(end({ state: 'held' })).toBe('Likely end: Open');
    expect(end({ forecast: { whole, heldNodes: 0 } })).toBe(`Likely end: ${clock(time(85), NOW)}`);
    expect(end({ state: 'stalled', forecast: { whole, heldNodes: 0 } })).toBe(
      'Left after the fix: 1 h 25 min',
    );
    const overdue = { ...whole, likelyAt: time(0), overdueSeconds: 720 };
    expect(end({ forecast: { whole: overdue, heldNodes: 0 } })).toBe('Likely end: 12 min late');
  });

  it('says what the forecast rests on', () => {
    const words = forecastInWords(aStatus({ forecast: { whole, heldNodes: 1 } }));
    const range = `between ${clock(time(60), NOW)} and ${clock(time(100), NOW)}`;
    expect(words).toBe(
      `It likely ends ${range}. Basis: 5 nodes. 1 node of paused pools is not in the forecast.`,
    );
    expect(forecastInWords(aStatus())).toBe('');
  });

  it('claims nothing of a silent cluster', () => {
    const silent = aStatus({ state: 'silent', collectedAt: time(-25), forecast: { whole, heldNodes: 0 } });
    expect(reasonOf(silent)!.what).toBe(`No report since ${clock(time(-25), NOW)}`);
    expect(factsOf(silent).at(-1)).toEqual(['Likely end', 'Unknown']);
    expect(forecastInWords(silent)).toBe('');
  });

  it('names the node before what only does not move', () => {
    const insight = (changes: object) =>
      ({ level: 'Error', resources: [], ...changes }) as unknown as Insight;
    const reason = reasonOf(
      aStatus({
        insights: [
          insight({ type: 'UpdateStalled', reason: 'NoNodeProgress', message: 'nothing moves' }),
          insight({
            type: 'NodeStuck',
            message: 'node-1 drains',
            description: 'Budget a/b. Read why: oc logs x',
            resources: [{ name: 'node-1' }],
          }),
        ],
      }),
    );
    expect(reason).toEqual({
      subject: 'node-1',
      what: 'node-1 drains',
      facts: 'Budget a/b.',
      lead: 'Read why:',
      command: 'oc logs x',
    });
    const well = insight({ type: 'ProceedingWell', level: 'Info' });
    expect(reasonOf(aStatus({ insights: [well] }))).toBeNull();
  });
});

describe('how long an update took', () => {
  const ended = (whole: number | null, late: number | null): PastUpdate =>
    ({
      minutes: { whole },
      forecasts: { begin: late === null ? null : { minutesLate: { whole: late } } },
    }) as PastUpdate;

  it.each([
    [null, null, null],
    [95, null, 'Took 95 min in all.'],
    [95, 0, 'Took 95 min in all, as forecast at its start.'],
    [95, 12, 'Took 95 min in all, 12 min more than forecast at its start.'],
    [150, -20, 'Took 2 h 30 min in all, 20 min less than forecast at its start.'],
  ])('of %j minutes, %j late: %j', (whole, late, text) => {
    expect(tookInWords(ended(whole, late))).toBe(text);
  });
});
