import { asShell, asText } from '@cairn/shared/text/as-text';
import { type Block, lines, listing } from '@cairn/shared/text/blocks';
import { asMarkdown } from '@cairn/shared/text/markdown';
import { describe, expect, it } from 'vitest';

const LONG = 'word '.repeat(40).trim();
const HOSTILE = 'a\nrm -rf ~\u001b[31m';

/** Compiles only with an example of every kind. */
const EXAMPLES: { readonly [K in Block['kind']]: Extract<Block, { kind: K }> } = {
  title: { kind: 'title', text: HOSTILE },
  heading: { kind: 'heading', text: HOSTILE },
  subheading: { kind: 'subheading', text: HOSTILE },
  paragraph: { kind: 'paragraph', text: HOSTILE },
  list: { kind: 'list', items: [HOSTILE] },
  lines: {
    kind: 'lines',
    lines: [HOSTILE],
    table: { header: ['A'], rows: [[HOSTILE]] },
    items: [HOSTILE],
  },
  table: { kind: 'table', header: [HOSTILE], rows: [[HOSTILE]] },
  command: { kind: 'command', about: HOSTILE, command: HOSTILE },
  finding: {
    kind: 'finding',
    title: HOSTILE,
    effect: 'block',
    type: HOSTILE,
    reason: HOSTILE,
    message: 'its lines\nstay apart',
    advice: [HOSTILE],
    commands: [HOSTILE],
    url: null,
  },
  steps: { kind: 'steps', steps: [{ text: HOSTILE, commands: [HOSTILE] }] },
};

describe('lines', () => {
  it('are never wrapped', () => {
    expect(asText([lines(LONG, 'b')])).toBe(`${LONG}\nb\n`);
  });

  it('have rows and items below them', () => {
    const block: Block = {
      kind: 'lines',
      lines: ['Gone:', '# so far'],
      table: { header: ['KIND', 'COUNT'], rows: [['tag', '7']], numbers: [1] },
      items: ['and 2 more'],
    };
    expect(asText([block])).toBe('Gone:\n# so far\n  KIND  COUNT\n  tag       7\n  and 2 more\n');
    expect(asMarkdown([block])).toBe(
      'Gone:\\\n\\# so far\n\n| KIND | COUNT |\n| --- | ---: |\n| tag | 7 |\n\n- and 2 more\n',
    );
  });
});

describe('a listing', () => {
  it('counts what is left out', () => {
    expect(asText(listing('Keys:', 12, ['a', 'b']))).toBe('Keys:\n  a\n  b\n  and 10 more\n');
    expect(asText(listing('Keys:', 3, { header: ['KEY'], rows: [['a']] }))).toBe(
      'Keys:\n  KEY\n  a\n  and 2 more\n',
    );
  });

  it('is no block without rows or items', () => {
    expect(listing('Keys:', 0, [])).toEqual([]);
    expect(listing('Keys:', 0, { header: ['KEY'], rows: [] })).toEqual([]);
  });
});

describe('a table', () => {
  it('aligns numbers at the end of their column', () => {
    const table: Block = { kind: 'table', header: ['N', 'NAME'], rows: [['10', 'a']], numbers: [0] };
    expect(asText([table])).toBe(' N  NAME\n10  a\n');
    expect(asMarkdown([table])).toBe('| N | NAME |\n| ---: | --- |\n| 10 | a |\n');
  });

  it('cuts long cells except in columns that stay whole', () => {
    const cell = 'x'.repeat(130);
    const table: Block = { kind: 'table', header: ['A', 'B'], rows: [[cell, cell]], whole: [1] };
    expect(asText([table]).split('\n')[1]).toBe(`${'x'.repeat(119)}…  ${cell}`);
    expect(asMarkdown([table])).toContain(`| ${cell} | ${cell} |`);
  });
});

describe('a command', () => {
  const command: Block = { kind: 'command', about: 'Delete a pod', command: "oc delete pod  'a'" };

  it('comes after what it does', () => {
    expect(asText([command])).toBe("Delete a pod\n  oc delete pod  'a'\n");
    expect(asMarkdown([command])).toBe("Delete a pod\n\n```sh\noc delete pod  'a'\n```\n");
  });

  it('is all that a script runs', () => {
    expect(asShell([lines('a', 'b'), command])).toBe("# a\n# b\n\n# Delete a pod\noc delete pod  'a'\n");
    const others = Object.values(EXAMPLES).filter(({ kind }) => kind !== 'command');
    expect(
      asShell(others)
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('# ')),
    ).toEqual([]);
  });
});

it.each(Object.values(EXAMPLES))('$kind keeps hostile text on its line', (block) => {
  const printed = [asText([block]), asMarkdown([block]), asShell([block])].join('');
  expect(printed).not.toMatch(/^rm/m);
  expect(printed).not.toContain('\u001b');
});
