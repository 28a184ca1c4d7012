import { Pool } from 'undici';
import type { Load, LoadResult } from './client.ts';

/** Sends a load and tells what came of it. A process of its own, so that it does not slow what it measures. */
process.once('disconnect', () => process.exit());
process.on('message', (load: Load) => {
  void send(load).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

/** The least a timer waits: what is due is sent within it, or the wait would be measured as the answer's. */
const TICK_MS = 1;
const HEADERS_TIMEOUT_MS = 30_000;

async function send({ url, seconds, rate, connections, requests }: Load): Promise<LoadResult> {
  const pool = new Pool(url, { connections, pipelining: 1, headersTimeout: HEADERS_TIMEOUT_MS });
  const turns = requests.flatMap(({ weight, ...request }) => Array.from({ length: weight }, () => request));
  const statuses: Record<string, number> = {};
  const times: number[] = [];
  const acknowledged: number[] = [];
  let [errors, sent, bytes] = [0, 0, 0];
  const start = performance.now();

  const one = async (number: number, due: number): Promise<void> => {
    // Neighbours are of different kinds, in an order that is the same each time.
    const { method, path, headers = {}, body } = turns[(number * 7919) % turns.length]!;
    const filled = (text: string): string =>
      text.replaceAll('{id}', String(number % 500)).replaceAll('{turn}', String(Math.floor(number / 500)));
    try {
      const answer = await pool.request({
        method,
        path: filled(path),
        headers,
        ...(body !== undefined && { body: filled(body) }),
      });
      let length = 0;
      for await (const chunk of answer.body as AsyncIterable<Buffer>) length += chunk.length;
      bytes += length;
      statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
      if (answer.statusCode < 300) {
        // From when it was due: a server that is late must not slow down who measures it.
        times.push(performance.now() - due);
        if (method === 'PUT') acknowledged.push(number);
      }
    } catch {
      errors++;
    }
  };

  const end = start + seconds * 1000;
  if (rate === null) {
    const loop = async (): Promise<void> => {
      while (performance.now() < end) await one(sent++, performance.now());
    };
    await Promise.all(Array.from({ length: connections }, loop));
  } else {
    const underWay = new Set<Promise<void>>();
    for (let now = start; now < end; now = performance.now()) {
      const dueUntilNow = Math.floor(((now - start) / 1000) * rate);
      while (sent < dueUntilNow) {
        const due = start + (sent / rate) * 1000;
        const request = one(sent++, due).finally(() => underWay.delete(request));
        underWay.add(request);
      }
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
    await Promise.all(underWay);
  }
  const elapsed = (performance.now() - start) / 1000;
  await pool.close();
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return {
    sent,
    errors,
    statuses,
    bytes,
    perSecond: times.length / elapsed,
    milliseconds: { p50: at(0.5), p90: at(0.9), p99: at(0.99), most: at(1) },
    acknowledged,
  };
}
