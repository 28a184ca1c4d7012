import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { alarmsOf } from '../../helpers/template/alarms.ts';
import { templateOf } from '../../helpers/template/template.ts';

const cost = readFileSync(new URL('../../../docs/cost.md', import.meta.url), 'utf8');

it('the alarms are as many as are paid for', async () => {
  const alarms = alarmsOf(await templateOf());
  const metrics = alarms.flatMap((alarm) => alarm.metrics).length;
  const [, price] =
    new RegExp(
      `^\\| alarms: ${alarms.length} that look at ${metrics} metrics, at 0\\.10 each +\\| ([\\d.]+) +\\|$`,
      'm',
    ).exec(cost) ?? [];
  expect(price).toBe((metrics * 0.1).toFixed(2));
});
