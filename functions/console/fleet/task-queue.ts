/** Runs tasks in the order in which they come, at most so many at once. */
export function taskQueue(most: number): (task: () => Promise<void>) => void {
  const waiting: (() => Promise<void>)[] = [];
  let running = 0;
  const next = (): void => {
    const task = running < most ? waiting.shift() : undefined;
    if (!task) return;
    running++;
    void task().finally(() => {
      running--;
      next();
    });
  };
  return (task) => {
    waiting.push(task);
    next();
  };
}
