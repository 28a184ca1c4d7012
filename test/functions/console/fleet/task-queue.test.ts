import { expect, it } from 'vitest';
import { taskQueue } from '../../../../functions/console/fleet/task-queue.ts';

it('runs tasks in their order, never more at once than it may', async () => {
  const queue = taskQueue(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  for (const task of [0, 1, 2, 3]) {
    queue(() => {
      begun.push(task);
      return new Promise<void>((resolve) => (ends[task] = resolve));
    });
  }
  expect(begun).toEqual([0, 1]);
  ends[1]!();
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  ends[0]!();
  ends[2]!();
  await expect.poll(() => begun).toEqual([0, 1, 2, 3]);
  ends[3]!();
});
