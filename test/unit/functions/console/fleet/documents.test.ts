import { describe, expect, it } from 'vitest';
import { clusterIdIn, nameFault, textFault } from '../../../../../functions/console/fleet/add-cluster.tsx';

describe('what is wrong with a text, by its ends', () => {
  it.each([
    [' \n', /nothing/],
    ['apiVersion: v1\nkind: List', /-o json/],
    ['---\nkind: List', /-o json/],
    ['error: You must be logged in', /begins with “error: You must be l”/],
    ['{"kind":"List","items":[{"a"', /end is missing/],
  ])('%j', (text, fault) => {
    expect(textFault(text)).toMatch(fault);
  });

  // The last is what `oc` prints twice in a row.
  it.each(['{"kind":"List","items":[]}', '[{}]', '\n {"a":1}\n{"b":2}\n'])('nothing with %j', (text) => {
    expect(textFault(text)).toBeNull();
  });
});

describe('the name that documents propose', () => {
  it.each([
    [['{"spec":{"clusterID":"6b7d5a3e-2f41"}}'], '6b7d5a3e-2f41'],
    [['{"spec": {"clusterID" :\n "a-1"}}'], 'a-1'],
    [['{"kind":"List"}', '{"clusterID":"second"}', '{"clusterID":"third"}'], 'second'],
    [[], null],
    [['not JSON "clusterID"'], null],
    // A document within a text, as annotations hold them.
    [[String.raw`{"a":"{\"clusterID\":\"inner\"}"}`], null],
    [['{"clusterID":"../../v1/sync"}'], null],
    [['{"clusterID":"<b>"}'], null],
    [[`{"clusterID":"${'x'.repeat(101)}"}`], null],
    [['{"clusterID":7}'], null],
  ])('%j', (texts, id) => {
    expect(clusterIdIn(texts)).toBe(id);
  });
});

describe('names of clusters', () => {
  it.each(['prod-1', 'a', '6b7d5a3e-2f41-4c0a', 'eu.west_2', '...', 'x'.repeat(100)])('%s', (name) => {
    expect(nameFault(name)).toBeNull();
  });

  it.each(['', '.', '..', 'a b', 'a/b', 'ä', '%2e', 'x'.repeat(101)])('refuses %j', (name) => {
    expect(nameFault(name)).toMatch(/\.$/);
  });
});
