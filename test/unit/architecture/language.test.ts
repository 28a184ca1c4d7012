import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commentsIn, listFiles } from './source-files.ts';

/** Words that hide the subject or the verb. */
const BANNED =
  /\b(?:tells?|told|shall|mend(?:s|ed)?|whoever|whom|thereof|nobody|somebody|everybody|anybody)\b|\bstands? (?:against|in the way)\b|\bof (?:yours|ours|its own)\b|\bgo(?:es)? away\b|\b(?:held|holds?) back\b(?!:)|\blook(?:s|ed|ing)? (?:at|after|ahead|again)\b|\bsays? of\b|\bas usual\b|\bby hand\b|\bwould go\b|\bfor good\b|\bas good as\b/i;

const SUBJECT = /^(?:feat|fix|perf|refactor|test|docs|build|chore)(?:\([a-z-]+\))?: [a-z].*[^.]$/;
const LONGEST_SUBJECT = 65;

describe('language', () => {
  it('comments of the product use plain words', () => {
    const found = ['shared', 'functions', 'infra']
      .flatMap((folder) => listFiles(folder))
      .filter((path) => /\.(?:ts|tsx|cjs)$/.test(path))
      .flatMap((path) => commentsIn(path).filter((comment) => BANNED.test(comment)));
    expect(found).toEqual([]);
  });

  it('commits since this test have a conventional subject', ({ skip }) => {
    const git = (...args: readonly string[]) => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim();
    const first = git(
      'log',
      '--diff-filter=A',
      '--format=%H',
      '--',
      'test/unit/architecture/language.test.ts',
    );
    if (first === '') return skip('the history of this test is not here: not committed, or a shallow clone');
    const subjects = git('log', '--no-merges', '--format=%s', `${first}..HEAD`).split('\n').filter(Boolean);
    const isPlain = (subject: string) => SUBJECT.test(subject) && subject.length <= LONGEST_SUBJECT;
    expect(subjects.filter((subject) => !isPlain(subject))).toEqual([]);
    return undefined;
  });
});
