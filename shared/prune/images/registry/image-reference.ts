import { quoteValue } from '../../../text/quote.ts';
import { isDigest } from './storage-layout.ts';

export interface ImageReference {
  readonly kind: 'image';
  /** Without the host: a cluster can reach one registry under several. Several entries if the host is ambiguous. */
  readonly repositories: readonly string[];
  /** Null for a reference by digest. */
  readonly tag: string | null;
  readonly digest: string | null;
}

export interface InvalidImageReference {
  readonly kind: 'invalid';
  readonly why: string;
  /** Repositories it appears to name; empty if unknown. */
  readonly repositories: readonly string[];
}

export type ParsedReference = ImageReference | InvalidImageReference | { readonly kind: 'blank' };

const LONGEST_NAME = 255;
const HOST = /^(?:[A-Za-z0-9]+(?:[.-]+[A-Za-z0-9]+)*|\[[0-9A-Fa-f:]+\])(?::[0-9]+)?$/;
const COMPONENT = /^[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
/** Name of an ImageStream; loose, since no rule here depends on it. */
const STREAM = /^[^\s/:@]{1,253}$/;

/**
 * `registry:5000/shop/web:v2` is tag `v2` of `shop/web`; the default tag is `latest`, and a digest overrides any tag.
 * If the first part can be a host or a namespace, both count: `shop/web` gives `shop/web` and `web`.
 */
export function parseImageReference(text: string): ParsedReference {
  const reference = text.trim();
  if (reference === '') return { kind: 'blank' };
  const { name, tag, digest } = partsOf(reference);
  const why = faultIn(name, tag, digest);
  if (why !== null) return { kind: 'invalid', why, repositories: seeminglyNamed(name) };
  return {
    kind: 'image',
    repositories: repositoriesOf(name.split('/')),
    tag: digest === null ? (tag ?? 'latest') : null,
    digest,
  };
}

/** `web:v2` in a namespace. */
export function parseStreamTag(text: string, namespace: string): ImageReference | InvalidImageReference {
  const [stream = '', tag = '', ...more] = text.trim().split(':');
  if (namespace !== '' && STREAM.test(stream) && TAG.test(tag) && more.length === 0) {
    return { kind: 'image', repositories: [`${namespace}/${stream}`], tag, digest: null };
  }
  const why = namespace === '' ? 'it has no namespace' : 'a stream and a tag such as web:v2 are accepted';
  return { kind: 'invalid', why, repositories: seeminglyStream(text, namespace) };
}

/** `web@sha256:…` in a namespace. */
export function parseStreamImage(text: string, namespace: string): ImageReference | InvalidImageReference {
  const [stream = '', digest = '', ...more] = text.trim().split('@');
  if (namespace !== '' && STREAM.test(stream) && isDigest(digest) && more.length === 0) {
    return { kind: 'image', repositories: [`${namespace}/${stream}`], tag: null, digest };
  }
  const why =
    namespace === '' ? 'it has no namespace' : 'a stream and a digest such as web@sha256:… are accepted';
  return { kind: 'invalid', why, repositories: seeminglyStream(text, namespace) };
}

function partsOf(reference: string): { name: string; tag: string | null; digest: string | null } {
  const at = reference.indexOf('@');
  const tagged = at === -1 ? reference : reference.slice(0, at);
  const digest = at === -1 ? null : reference.slice(at + 1);
  const colon = tagged.lastIndexOf(':');
  // A colon before a slash separates the port of a host.
  if (colon <= tagged.lastIndexOf('/')) return { name: tagged, tag: null, digest };
  return { name: tagged.slice(0, colon), tag: tagged.slice(colon + 1), digest };
}

function faultIn(name: string, tag: string | null, digest: string | null): string | null {
  if (digest !== null && !isDigest(digest)) {
    return `${quoteValue(digest)} is no digest, such as sha256: and 64 hexadecimal digits is accepted`;
  }
  if (tag !== null && !TAG.test(tag)) {
    return `${quoteValue(tag)} is no tag, up to 128 letters, digits, dots, underscores and hyphens are accepted`;
  }
  if (name.length > LONGEST_NAME) return `it has more than ${LONGEST_NAME} characters before the tag`;
  const parts = name.split('/');
  const path = hasHost(parts) ? parts.slice(1) : parts;
  const wrong = path.find((part) => !COMPONENT.test(part));
  if (wrong === undefined) return null;
  return `${quoteValue(wrong)} is no part of a name, small letters and digits with . _ or - between them are accepted`;
}

function hasHost([first = '', ...path]: readonly string[]): boolean {
  if (path.length === 0 || !HOST.test(first)) return false;
  return first === 'localhost' || /[.:]/.test(first) || !COMPONENT.test(first);
}

function repositoriesOf(parts: readonly string[]): string[] {
  const withoutFirst = parts.slice(1).join('/');
  const whole = parts.join('/');
  const meant = hasHost(parts) ? [withoutFirst] : parts.length === 1 ? [whole] : [whole, withoutFirst];
  // Registries and their mirrors keep names of one part in this folder.
  return meant.flatMap((repository) =>
    repository.includes('/') ? [repository] : [repository, `library/${repository}`],
  );
}

/** Best guess for an unreadable name. */
function seeminglyNamed(name: string): string[] {
  const parts = name
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
  const isName =
    name.length <= LONGEST_NAME &&
    parts.every((part, index) => /^[a-z0-9._-]+$/.test(part) || (index === 0 && HOST.test(part)));
  return isName && parts.length > 0 ? repositoriesOf(parts) : [];
}

function seeminglyStream(text: string, namespace: string): string[] {
  const stream = /^[^\s/:@]+/.exec(text.trim())?.[0];
  const { name } = partsOf(text.trim());
  const asPath = name.includes('/') ? seeminglyNamed(name) : [];
  return stream === undefined || namespace === '' ? asPath : [`${namespace}/${stream}`, ...asPath];
}
