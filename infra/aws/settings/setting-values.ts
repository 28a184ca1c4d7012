import { isIP } from 'node:net';
import type { InputValue } from '@cairn/shared/input/input-value';
import { quoteValue } from '@cairn/shared/text/quote';

const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;
const URL_TEXT = 'an https URL with a host name, without port, user, query or fragment';

interface ListRule {
  readonly accepted: string;
  readonly isAccepted: (text: string) => boolean;
  /**
   * Maximum number of items.
   * @default any number
   */
  readonly most?: number;
  /**
   * Accept an empty list.
   * @default false
   */
  readonly mayBeEmpty?: boolean;
}

export function readShape(node: InputValue, shape: RegExp, what: string, accepted: string): string | null {
  return node.parsedText((text) => (shape.test(text) ? text : null), what, accepted);
}

export function readHttpsUrl(node: InputValue): string | null {
  return node.parsedText((text) => (isPlainHttpsUrl(text) ? text : null), 'such a URL', URL_TEXT);
}

/** Rejects at synthesis what the sync would reject at run time. */
function isPlainHttpsUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url?.protocol === 'https:' &&
    `${url.port}${url.username}${url.password}${url.search}${url.hash}` === '' &&
    isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0
  );
}

/** Rejects duplicates. */
export function readList(node: InputValue, rule: ListRule): readonly string[] | null {
  const { accepted, isAccepted, most = Infinity, mayBeEmpty = false } = rule;
  const items = node.items(accepted);
  if (Array.isArray(node.value) && items.length === 0 && !mayBeEmpty) {
    return node.refuse('the list is empty', accepted);
  }
  if (items.length > most) return node.refuse(`${items.length} are too many`, accepted);
  const texts = new Set<string>();
  for (const item of items) {
    const text = item.parsedText((value) => (isAccepted(value) ? value : null), 'accepted here', accepted);
    if (text === null) continue;
    if (texts.has(text)) item.refuse(`${quoteValue(text)} is there twice`, accepted);
    texts.add(text);
  }
  return [...texts];
}

/** Fully qualified and lower case, as in certificates and registries. */
export function isHostName(text: string): boolean {
  return HOST.test(text);
}
