import { createPruner, inMemoryStore, keepNewest } from '@cairn/shared/prune';
import type { PrunerOptions } from '@cairn/shared/prune/objects/options';
import { describe, expect, it } from 'vitest';
import { NOW } from '../../../../helpers/prune/objects.ts';

const OPTIONS: PrunerOptions<object> = {
  store: inMemoryStore<object>([]),
  kinds: ['v1/Pod'],
  strategy: keepNewest(1),
  now: NOW,
};

function create(options: Readonly<Record<string, unknown>>) {
  return () => createPruner<object>({ ...OPTIONS, ...options });
}

describe('createPruner', () => {
  it.each([
    {},
    { kinds: ['v1/Pod', { group: 'batch', version: 'v1', kind: 'Job' }] },
    { now: () => NOW, concurrency: 1, maxDeletes: 0, onError: 'stop', across: 'all-kinds' },
    { logger: console, hooks: { afterDelete() {} }, allowUnregistered: ['RunRecord'] },
    { registry: undefined, namespaces: undefined, labels: undefined, owner: undefined, hooks: undefined },
    {
      dryRun: undefined,
      concurrency: undefined,
      maxDeletes: undefined,
      onError: undefined,
      logger: undefined,
    },
    { owner: { kind: 'Operator', uid: undefined }, labels: 'app', namespaces: ['a', 'a'] },
  ])('takes %j', (options) => {
    expect(create(options)).not.toThrow();
  });

  it.each<[Record<string, unknown>, typeof TypeError | typeof RangeError, string]>([
    [
      { store: undefined },
      TypeError,
      'store is not given; it must be an object with the functions list and remove',
    ],
    [{ store: { list() {} } }, TypeError, 'store is an object; it must be an object with the functions list'],
    [{ kinds: undefined }, TypeError, 'kinds is not given; it must be an array of kinds'],
    [{ kinds: 'v1/Pod' }, TypeError, 'kinds is "v1/Pod"; it must be an array of kinds'],
    [{ kinds: [] }, RangeError, 'kinds is empty; it must have at least one'],
    [{ kinds: ['v1/'] }, TypeError, 'kinds: "v1/" is no kind; a kind is such as'],
    [{ kinds: [undefined] }, TypeError, 'kinds: undefined is no kind'],
    [
      { kinds: ['batch/v1/Job', { group: 'batch', version: 'v1', kind: 'Job' }] },
      RangeError,
      'kinds has "batch/v1/Job" twice; each kind is given once',
    ],
    [{ strategy: undefined }, TypeError, 'strategy is not given; it must be a function'],
    [{ strategy: [keepNewest(1)] }, TypeError, 'strategy is an array; it must be a function'],
    [
      { now: undefined },
      TypeError,
      'now is not given; it must be a valid Date or a function that returns one',
    ],
    [{ now: NOW.getTime() }, TypeError, `now is ${NOW.getTime()}; it must be a valid Date`],
    [{ now: new Date('never') }, TypeError, 'now is an object; it must be a valid Date'],
    [{ registry: new Map() }, TypeError, 'registry is an object; it must be a Registry'],
    [
      { allowUnregistered: 'RunRecord' },
      TypeError,
      'allowUnregistered is "RunRecord"; it must be true, false or',
    ],
    [{ allowUnregistered: [''] }, TypeError, 'allowUnregistered: "" is no kind'],
    [{ across: 'kinds' }, TypeError, 'across is "kinds"; it must be "each-kind" or "all-kinds"'],
    [{ namespaces: [] }, RangeError, 'namespaces is empty; it must have at least one'],
    [{ namespaces: 'batch' }, TypeError, 'namespaces is "batch"; it must be an array of names'],
    [{ namespaces: ['a', ''] }, TypeError, 'a name of namespaces is ""; it must be a text that is not empty'],
    [{ namespaces: [undefined] }, TypeError, 'a name of namespaces is not given'],
    [{ labels: '' }, RangeError, 'labels is empty; leave it out to take objects with any labels'],
    [{ labels: {} }, RangeError, 'labels is empty; leave it out'],
    [
      { labels: ['app'] },
      TypeError,
      'labels is an array; it must be a label selector or an object of labels',
    ],
    [{ labels: null }, TypeError, 'labels is null'],
    [
      { labels: 'app in web' },
      RangeError,
      'labels: "app in web" is no label selector: at character 8 expected "("',
    ],
    [{ labels: { app: undefined } }, RangeError, 'labels: undefined is no value of the label app'],
    [{ owner: 'mine' }, TypeError, 'owner is "mine"; it must be an object'],
    [
      { owner: {} },
      RangeError,
      'owner is empty; it must have at least one of uid, kind, name, apiVersion and controller',
    ],
    [{ owner: { uid: undefined } }, RangeError, 'owner is empty'],
    [{ owner: { uid: '' } }, TypeError, 'owner.uid is ""; it must be a text that is not empty'],
    [{ owner: { controller: 'yes' } }, TypeError, 'owner.controller is "yes"; it must be true or false'],
    [{ owner: { uuid: 'x' } }, TypeError, 'owner has no field "uuid"; there are uid, kind,'],
    [{ countUnprunable: 1 }, TypeError, 'countUnprunable is 1; it must be true or false'],
    [{ dryRun: 'false' }, TypeError, 'dryRun is "false"; it must be true or false'],
    [{ dryRun: null }, TypeError, 'dryRun is null'],
    [{ concurrency: 0 }, RangeError, 'concurrency is 0; it must be a whole number from 1 on'],
    [{ concurrency: 1.5 }, RangeError, 'concurrency is 1.5'],
    [{ concurrency: '2' }, TypeError, 'concurrency is "2"; it must be a whole number from 1 on'],
    [{ maxDeletes: -1 }, RangeError, 'maxDeletes is -1; it must be a whole number from 0 on'],
    [{ maxDeletes: Number.NaN }, RangeError, 'maxDeletes is NaN'],
    [{ maxDeletes: Infinity }, RangeError, 'maxDeletes is Infinity'],
    [{ maxDeletes: null }, TypeError, 'maxDeletes is null'],
    [{ onError: 'ignore' }, TypeError, 'onError is "ignore"; it must be "continue" or "stop"'],
    [
      { hooks: { beforeDelete: true } },
      TypeError,
      'hooks is an object; it must be an object with the function beforeDelete',
    ],
    [{ hooks: { afterDelete: 'x' } }, TypeError, 'it must be an object with the function afterDelete'],
    [{ hooks: null }, TypeError, 'hooks is null; it must be an object'],
    [
      { logger: { info() {} } },
      TypeError,
      'logger is an object; it must be an object with the functions info, warn and error',
    ],
    [{ describe: {} }, TypeError, 'describe is an object; it must be a function'],
    [{ dryrun: true }, TypeError, 'createPruner has no option "dryrun"; did you mean dryRun?'],
    [{ toString: 1 }, TypeError, 'createPruner has no option "toString"'],
    [{ zzz: 1 }, TypeError, 'createPruner has no option "zzz"'],
  ])('refuses %j', (options, type, message) => {
    expect(create(options)).toThrow(message);
    expect(create(options)).toThrow(type);
  });

  it.each([undefined, null, 7])('refuses %j in place of options', (options) => {
    expect(() => createPruner(options as never)).toThrow('createPruner takes an object');
  });

  it('refuses a clock that returns no time when a run reads it', async () => {
    const pruner = create({ now: () => 7 })();
    await expect(pruner.run()).rejects.toThrow('now returned 7; it must return a valid Date');
  });
});
