import { parseSelector } from '@cairn/shared/prune/objects/selector';
import { describe, expect, it } from 'vitest';

const WEB = { app: 'web', env: 'prod', 'example.com/part': 'a.b_c-1', empty: '' };

function matches(selector: string | Record<string, string>, labels: Record<string, string> = WEB): boolean {
  return parseSelector(selector).matches(new Map(Object.entries(labels)));
}

describe('parseSelector', () => {
  it.each([
    ['app=web', true],
    ['app==web', true],
    [' app = web , env=prod ', true],
    ['app=web,env=test', false],
    ['app=other', false],
    ['none=web', false],
    ['app!=web', false],
    ['app!=other', true],
    ['none!=web', true],
    ['env in (test, prod)', true],
    ['env in (test)', false],
    ['none in (test)', false],
    ['env notin (test,dev)', true],
    ['env notin (prod)', false],
    ['none notin (prod)', true],
    ['env notin(prod)', false],
    ['app', true],
    ['none', false],
    ['!app', false],
    ['!none', true],
    ['! none', true],
    ['example.com/part=a.b_c-1', true],
    ['empty=', true],
    ['empty', true],
    ['app=', false],
    ['empty!=,app', false],
    ['app in (,web)', true],
    ['empty in (,web)', true],
    ['none in (,web)', false],
    ['in in (in),notin', false],
    ['app,env,!none,app in (web),env!=test', true],
    ['constructor', false],
  ])('%j on the labels of a web server is %j', (selector, expected) => {
    expect(matches(selector)).toBe(expected);
  });

  it.each([
    [{ app: 'web' }, true],
    [{ app: 'web', env: 'prod' }, true],
    [{ app: 'web', env: 'test' }, false],
    [{ none: '' }, false],
    [{ empty: '' }, true],
  ])('%j is %j', (labels, expected) => {
    expect(matches(labels)).toBe(expected);
  });

  it('is sent to the store in the syntax of Kubernetes', () => {
    expect(parseSelector({ app: 'web', env: '' }).text).toBe('app=web,env=');
    expect(parseSelector(' app in (a, b) ').text).toBe('app in (a, b)');
  });

  it('matches as its text', () => {
    const { text } = parseSelector(WEB);
    expect(matches(text)).toBe(true);
    expect(matches(text, { ...WEB, app: 'other' })).toBe(false);
  });

  it.each([
    ['', 1, 'a label, found the end'],
    ['  ', 3, 'a label, found the end'],
    ['app=web,', 9, 'a label, found the end'],
    [',app', 1, 'a label, found ","'],
    ['app web', 5, '"=", "==", "!=", "in", "notin", "," or the end, found "web"'],
    ['app=web env=prod', 9, '"," or the end, found "env"'],
    ['=web', 1, 'a label, found "="'],
    ['app===web', 6, 'a value, found "="'],
    ['app=!web', 5, 'a value, found "!"'],
    ['!app=web', 5, '"," or the end, found "="'],
    ['!!app', 2, 'a label, found "!"'],
    ['app in web', 8, '"(", found "web"'],
    ['app in (web', 12, '"," or ")", found the end'],
    ['app in (web prod)', 13, '"," or ")", found "prod"'],
    ['app in ()', 9, 'a value, found ")"'],
    ['app in', 7, '"(", found the end'],
    ['app)', 4, '"=", "==", "!=", "in", "notin", "," or the end, found ")"'],
    ['replicas>3', 1, 'a label, found "replicas>3"; a label is'],
    ['-app', 1, 'a label, found "-app"; a label is'],
    ['/app', 1, 'a label, found "/app"; a label is'],
    ['Example.com/app', 1, 'a label, found "Example.com/app"; a label is'],
    ['app=we$b', 5, 'a value, found "we$b"; a value is'],
    [`app=${'x'.repeat(64)}`, 5, 'a value, found'],
  ])('%j goes wrong at character %i', (selector, position, problem) => {
    expect(() => parseSelector(selector)).toThrow(RangeError);
    expect(() => parseSelector(selector)).toThrow(`at character ${position} expected ${problem}`);
  });

  it.each([
    [{ 'a b': 'c' }, '"a b" is no label; a label is'],
    [{ app: 'a b' }, '"a b" is no value of the label app; a value is'],
    [{ app: 7 as unknown as string }, '7 is no value of the label app; a value is'],
  ])('refuses %j', (labels, message) => {
    expect(() => parseSelector(labels)).toThrow(message);
  });
});
