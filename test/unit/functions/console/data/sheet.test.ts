import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchSheet } from '../../../../../functions/console/data/sheet.ts';

const START = '/v1/clusters?format=csv';

describe('a sheet', () => {
  const answers = new Map<string, Response>();
  const asked: [path: string, headers: unknown][] = [];
  beforeEach(() => {
    answers.clear();
    asked.length = 0;
    vi.stubGlobal('fetch', async (path: string, { headers }: RequestInit) => {
      asked.push([path, headers]);
      return answers.get(path);
    });
    vi.stubGlobal('sessionStorage', { getItem: () => 'secret' });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const answer = (path: string, text: string, link?: string): void => {
    const headers = { 'content-type': 'text/csv; charset=utf-8', ...(link !== undefined && { link }) };
    answers.set(path, new Response(text, { headers }));
  };

  it('is asked for with the right to it', async () => {
    answer(START, 'id\r\na\r\n');
    expect(await fetchSheet(START)).toBe('id\r\na\r\n');
    expect(asked).toEqual([
      [START, expect.objectContaining({ accept: 'text/csv', authorization: 'Bearer secret' })],
    ]);
  });

  it('goes on where the service says so, with one line of titles', async () => {
    answer(START, 'id\r\na\r\n', '</v1/clusters?format=csv&cursor=2>; rel="next"');
    answer('/v1/clusters?format=csv&cursor=2', 'id\r\nb\r\nc\r\n');
    expect(await fetchSheet(START)).toBe('id\r\na\r\nb\r\nc\r\n');
  });

  it.each(['<https://example.com/v1/clusters>; rel="next"', '<//example.com/v1/>; rel="next"', 'next'])(
    'takes no token elsewhere: %s',
    async (link) => {
      answer(START, 'id\r\n', link);
      expect(await fetchSheet(START)).toBe('id\r\n');
      expect(asked).toHaveLength(1);
    },
  );

  it('that is invalid is refused', async () => {
    answers.set(START, new Response('<html>', { headers: { 'content-type': 'text/html' } }));
    await expect(fetchSheet(START)).rejects.toMatchObject({ name: 'ApiError', code: 'unreadable' });
  });
});
