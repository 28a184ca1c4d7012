import { isIP } from 'node:net';
import type { InputValue } from '@cairn/shared/input/input-value';
import { showValue } from '@cairn/shared/text/quote';

const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;
const URL_TEXT = 'an https URL with a host name, without port, user, query or fragment';

interface ListRule {
  /** What the list may hold, for a person. */
  readonly accepted: string;
  readonly isAccepted: (text: string) => boolean;
  /**
   * More are refused.
   * @default any number
   */
  readonly most?: number;
  /**
   * Whether it may be empty.
   * @default false
   */
  readonly mayBeEmpty?: boolean;
}

/** A text of this shape. */
export function readShape(node: InputValue, shape: RegExp, what: string, accepted: string): string | null {
  return node.parsedText((text) => (shape.test(text) ? text : null), what, accepted);
}

export function readHttpsUrl(node: InputValue): string | null {
  return node.parsedText((text) => (isPlainHttpsUrl(text) ? text : null), 'such a URL', URL_TEXT);
}

/** What the sync job would refuse at run time is refused here, before anything is deployed. */
function isPlainHttpsUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url?.protocol === 'https:' &&
    `${url.port}${url.username}${url.password}${url.search}${url.hash}` === '' &&
    isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0
  );
}

/** Different texts. */
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
    if (texts.has(text)) item.refuse(`${showValue(text)} is there twice`, accepted);
    texts.add(text);
  }
  return [...texts];
}

/** A full host name, in lower case as certificates and registries have it. */
export function isHostName(text: string): boolean {
  return HOST.test(text);
}
