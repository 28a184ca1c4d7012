import { findPath } from '@cairn/shared/path/find-path';
// Only type-checked. A directive that expects an error where there is none is an error itself.
import { createPruner, inMemoryStore, keepNewest } from '@cairn/shared/prune';

const store = inMemoryStore([{ kind: 'Backup', name: 'a', createdAt: new Date(0) }]);
const options = { store, kinds: ['Backup'], strategy: keepNewest(1), now: new Date(0) };
export const { deleted } = await createPruner(options).run();
// @ts-expect-error: a number
keepNewest('1');
// @ts-expect-error: no such choice
createPruner({ ...options, onError: 'ignore' });
// @ts-expect-error: no strategy
createPruner({ store, kinds: ['Backup'], now: new Date(0) });
// @ts-expect-error: what was given has no size
export const size = deleted[0]?.object.size;
// @ts-expect-error: no releases
await findPath({ from: '4.14.1', to: '4.15.1' });
