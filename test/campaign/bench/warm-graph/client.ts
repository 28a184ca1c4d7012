import { Agent, request } from 'node:http';

/** Sends as many requests as it is told, a few at once over connections that stay open; then says so. */
export interface Load {
  readonly url: string;
  readonly requests: number;
  /** What every body has to measure, so that no error is taken for an answer. */
  readonly bodyBytes: number;
}

const AT_ONCE = 8;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

process.once('disconnect', () => process.exit());
process.on('message', (load: Load) => {
  void send(load).then(
    () => process.send?.(null),
    (error: unknown) => process.send?.(String(error)),
  );
});

async function send({ url, requests, bodyBytes }: Load): Promise<void> {
  let left = requests;
  const sendSome = async () => {
    while (left-- > 0) await sendOne(url, bodyBytes);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
}

function sendOne(url: string, bodyBytes: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = { accept: 'application/json', 'accept-encoding': 'gzip' };
  request(url, { agent, headers }, (response) => {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => (bytes += chunk.length));
    response.once('error', reject);
    response.once('end', () => {
      if (response.statusCode === 200 && bytes === bodyBytes) resolve();
      else reject(new Error(`${url} answered ${response.statusCode} with ${bytes} bytes`));
    });
  })
    .once('error', reject)
    .end();
  return promise;
}
