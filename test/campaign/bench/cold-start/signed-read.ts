import { authorizationOf } from '../../../helpers/table/signature.ts';

const http = process.getBuiltinModule('node:http');

/** The least code that reads an item of the table: what a cold start is measured against. */
export async function handler(event: {
  readonly input: Readonly<Record<string, unknown>>;
}): Promise<{ statusCode: number; body: string }> {
  const { env } = process;
  const endpoint = new URL(env['AWS_ENDPOINT_URL_DYNAMODB']!);
  const date = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const body = JSON.stringify(event.input);
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    host: endpoint.host,
    'x-amz-date': date,
    'x-amz-security-token': env['AWS_SESSION_TOKEN']!,
    'x-amz-target': 'DynamoDB_20120810.GetItem',
  };
  const authorization = authorizationOf(
    { method: 'POST', path: '/', headers, body },
    {
      accessKeyId: env['AWS_ACCESS_KEY_ID']!,
      secretAccessKey: env['AWS_SECRET_ACCESS_KEY']!,
      region: env['AWS_REGION']!,
      service: 'dynamodb',
      date,
    },
  );
  return new Promise((resolve, reject) => {
    const request = http.request(endpoint, {
      method: 'POST',
      headers: { ...headers, authorization },
      agent: new http.Agent({ keepAlive: true }),
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const { Item } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { Item?: unknown };
        resolve({ statusCode: response.statusCode!, body: JSON.stringify(Item ?? null) });
      });
    });
    request.end(body);
  });
}
