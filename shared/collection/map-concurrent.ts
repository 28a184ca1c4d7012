/**
 * What all of them came to, once all are over, also when one fails: what is still under way when a Lambda has answered
 * stands still and goes on in a later invocation.
 */
export async function allDone<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(work);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
