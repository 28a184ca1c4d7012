import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../../functions/http/route.ts';
import { routes } from '../../../functions/routes.ts';
import { LEVELS, scopesOf, THROTTLES } from '../../../infra/aws/http-api.ts';

const page = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');

/** The cells of each row of the table under a heading, without its head. */
function tableAfter(heading: string): string[][] {
  const section = page.slice(page.indexOf(heading));
  const rows = /(?:^\|.*\n)+/m.exec(section)![0].trim().split('\n').slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('docs/security.md', () => {
  it('names every level of access, and no other', () => {
    const known = new Set((routes as readonly Route[]).map(({ access }) => access));
    const named = tableAfter('## Who may call what').map(([level]) => level!.replaceAll('`', ''));
    expect(named.toSorted()).toEqual([...known].toSorted());
  });

  it('names the policies and scopes of the levels', () => {
    const policies = tableAfter('### Let somebody in with AWS credentials').map(([name]) => name);
    expect(policies).toEqual(LEVELS.map((level) => `\`<stack>-${level}\``));
    const scopes = tableAfter('### Let somebody in with tokens').map(([name]) => name!.replaceAll('`', ''));
    expect(scopes).toEqual(scopesOf('read'));
  });

  it('has the limits that are deployed', () => {
    const limits = tableAfter('### How much at once').map(([, rate, burst]) => [Number(rate), Number(burst)]);
    const { write, admin, documents, openGraph, stage } = THROTTLES;
    expect(limits).toEqual(
      [write, admin, documents, openGraph, stage].map(({ rate, burst }) => [rate, burst]),
    );
  });
});
