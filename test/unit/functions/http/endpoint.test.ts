import { expect, it } from 'vitest';
import { type Call, onDemand } from '../../../../functions/http/endpoint.ts';

it('endpoints on demand are loaded once, and again after a failure', async () => {
  let loads = 0;
  const { getHealth } = onDemand(['getHealth'], async () => {
    loads++;
    if (loads === 1) throw new Error('not there');
    return { getHealth: () => ({ data: { status: 'ok' as const } }) };
  });
  const call = {} as Call<'getHealth'>;
  await expect(getHealth(call)).rejects.toThrow('not there');
  expect(await Promise.all([getHealth(call), getHealth(call)])).toEqual([
    { data: { status: 'ok' } },
    { data: { status: 'ok' } },
  ]);
  expect(loads).toBe(2);
});
