import { ApiError } from '../data/api-error.ts';
import { send } from '../data/api.ts';

/** Only on to this service: what is asked has the token with it. */
const NEXT = /^<(\/v1\/[^>]*)>; rel="next"$/;

/** A list of the service as CSV, whole: a sheet of it has an end, and says where the next one begins. */
export async function fetchSheet(address: string): Promise<string> {
  let sheet = '';
  let next: string | undefined = address;
  while (next !== undefined) {
    const response = await send(next, { headers: { accept: 'text/csv' } });
    const text = await readSheet(response);
    sheet += sheet === '' ? text : text.slice(text.indexOf('\n') + 1);
    next = NEXT.exec(response.headers.get('link') ?? '')?.[1];
  }
  return sheet;
}

async function readSheet(response: Response): Promise<string> {
  const text = await response.text().catch(() => null);
  if (text !== null && response.headers.get('content-type')?.startsWith('text/csv')) return text;
  throw new ApiError('what came is cut off or is not from this service', {
    status: 0,
    code: 'unreadable',
    title: 'The sheet cannot be read',
  });
}
