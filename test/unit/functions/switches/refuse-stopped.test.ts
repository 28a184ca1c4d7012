import { describe, expect, it } from 'vitest';
import type { Route } from '../../../../functions/http/route.ts';
import { refuseStopped } from '../../../../functions/switches/refuse-stopped.ts';
import type { SwitchName, SwitchReader } from '../../../../functions/switches/store.ts';
import { requestOf, routeOf } from '../../../helpers/lambda/http-request.ts';

const STOP = { reason: 'a lost image', since: '2026-11-16T08:00:00.000Z', by: 'anna' };

function run(stopped: SwitchName, route: Partial<Route>) {
  const asked: SwitchName[] = [];
  const get = async (name: SwitchName) => {
    asked.push(name);
    return name === stopped ? STOP : null;
  };
  const { before } = refuseStopped({ get } as SwitchReader);
  return { asked, result: before!(requestOf({ context: { route: routeOf(route) } })) as unknown };
}

describe('refuseStopped', () => {
  it('refuses a change with the reason and the time to retry', async () => {
    const { result } = run('write', { access: 'write' });
    await expect(result).rejects.toMatchObject({
      code: 'stopped',
      message: 'every change is stopped since 2026-11-16T08:00:00.000Z by anna: a lost image',
      retryAfterSeconds: 60,
    });
  });

  it.each<[SwitchName, string]>([
    ['sync', 'startSyncRun'],
    ['prune', 'startImagePrunerRun'],
  ])('%s refuses %s', async (name, id) => {
    await expect(run(name, { id, access: 'write' }).result).rejects.toMatchObject({ code: 'stopped' });
  });

  it('reads no switch for reads and for putSwitch', () => {
    const routes: Partial<Route>[] = [{ access: 'read' }, { id: 'putSwitch', access: 'admin' }];
    for (const { asked, result } of routes.map((route) => run('write', route))) {
      expect([asked, result]).toEqual([[], undefined]);
    }
  });

  it('lets other changes through', async () => {
    expect(await run('prune', { id: 'startSyncRun', access: 'write' }).result).toBeUndefined();
  });
});
