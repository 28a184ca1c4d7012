import { send } from './api.ts';
import { ApiError } from './responses.ts';

/** Accepts only paths of this service: requests carry the token. */
const NEXT = /^<(\/v1\/[^>]*)>; rel="next"$/;

/** Follows all pages of a CSV list. */
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
