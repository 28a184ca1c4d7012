import {
  parseImageReference,
  parseStreamImage,
  parseStreamTag,
} from '@cairn/shared/prune/images/registry/image-reference';
import { describe, expect, it } from 'vitest';

const HEX = '0123456789abcdef'.repeat(4);
const DIGEST = `sha256:${HEX}`;

describe('parseImageReference', () => {
  it.each<[string, readonly string[], string]>([
    ['registry:5000/shop/web:v2', ['shop/web'], 'v2'],
    ['registry:5000/shop/web', ['shop/web'], 'latest'],
    [' quay.io/shop/web:v2\n', ['shop/web'], 'v2'],
    ['quay.io/a/b/c/d:v2', ['a/b/c/d'], 'v2'],
    ['localhost/shop/web', ['shop/web'], 'latest'],
    ['[::1]:5000/shop/web', ['shop/web'], 'latest'],
    ['Registry/shop/web', ['shop/web'], 'latest'],
    ['other-host/foo/baz:keepme', ['other-host/foo/baz', 'foo/baz'], 'keepme'],
    ['a/b/c/d/e', ['a/b/c/d/e', 'b/c/d/e'], 'latest'],
    ['shop/web', ['shop/web', 'web', 'library/web'], 'latest'],
    ['nginx', ['nginx', 'library/nginx'], 'latest'],
    ['docker.io/nginx:1', ['nginx', 'library/nginx'], '1'],
    ['q.io/a__b/c--d.e_f', ['a__b/c--d.e_f'], 'latest'],
  ])('%s names a tag', (text, repositories, tag) => {
    expect(parseImageReference(text)).toEqual({ kind: 'image', repositories, tag, digest: null });
  });

  it.each([`quay.io/shop/web@${DIGEST}`, `quay.io/shop/web:v2@${DIGEST}`])('%s names an image', (text) => {
    expect(parseImageReference(text)).toEqual({
      kind: 'image',
      repositories: ['shop/web'],
      tag: null,
      digest: DIGEST,
    });
  });

  it.each(['', ' \t\n'])('%j names nothing', (text) => {
    expect(parseImageReference(text)).toEqual({ kind: 'blank' });
  });

  it.each<[string, RegExp, readonly string[]]>([
    ['quay.io/shop/web@invalid-digest', /^"invalid-digest" is no digest/, ['shop/web']],
    [`quay.io/shop/web@${DIGEST.toUpperCase()}`, /is no digest/, ['shop/web']],
    [`quay.io/shop/web@${DIGEST}0`, /is no digest/, ['shop/web']],
    ['quay.io/shop/web:', /^"" is no tag/, ['shop/web']],
    ['quay.io/shop/web:v 2', /^"v 2" is no tag/, ['shop/web']],
    [`quay.io/shop/web:${'v'.repeat(129)}`, /is no tag/, ['shop/web']],
    ['quay.io/Shop/web', /^"Shop" is no part of a name/, ['shop/web']],
    ['quay.io//shop/web', /^"" is no part of a name/, ['shop/web']],
    ['quay.io/shop-/web', /^"shop-" is no part of a name/, ['shop-/web']],
    ['https://quay.io/shop/web', /is no part of a name/, []],
    ['I am certainly not valid', /is no part of a name/, []],
    ['${IMAGE}', /is no part of a name/, []],
    ['@', /^"" is no digest/, []],
    [`quay.io/${'a/'.repeat(200)}a`, /more than 255 characters/, []],
  ])('%s is not valid', (text, why, repositories) => {
    expect(parseImageReference(text)).toEqual({
      kind: 'invalid',
      why: expect.stringMatching(why) as string,
      repositories,
    });
  });

  it('takes no longer for a hostile text than for others', () => {
    for (const text of ['a-'.repeat(500_000), 'a.'.repeat(500_000), '-'.repeat(1e6), '/'.repeat(1e6)]) {
      expect(parseImageReference(text)).toMatchObject({ kind: 'invalid', repositories: [] });
      expect(parseStreamTag(text, 'shop')).toMatchObject({ kind: 'invalid' });
    }
  });
});

describe('names of streams', () => {
  it('are of a namespace', () => {
    const named = { kind: 'image', repositories: ['shop/web'] };
    expect(parseStreamTag('web:v2', 'shop')).toEqual({ ...named, tag: 'v2', digest: null });
    expect(parseStreamImage(`web@${DIGEST}`, 'shop')).toEqual({ ...named, tag: null, digest: DIGEST });
  });

  it.each(['web', 'web:', ':v2', 'web:v2:v3', 'web@v2', 'bad/tag@name', 'a/b:v2', 'w b:v2'])(
    '%s is no tag of one',
    (name) => {
      expect(parseStreamTag(name, 'shop').kind).toBe('invalid');
    },
  );

  it.each(['web', 'bad:isi', 'web@sha256:1', `a/b@${DIGEST}`, `web@${DIGEST}@${DIGEST}`])(
    '%s is no image of one',
    (name) => {
      expect(parseStreamImage(name, 'shop').kind).toBe('invalid');
    },
  );

  it('without a namespace are not valid', () => {
    expect(parseStreamTag('web:v2', '')).toEqual({
      kind: 'invalid',
      why: 'it has no namespace',
      repositories: [],
    });
    expect(parseStreamImage(`web@${DIGEST}`, '').kind).toBe('invalid');
  });
});
