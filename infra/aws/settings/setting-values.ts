import { isIP } from 'node:net';
import type { ConfigNode } from '@cairn/shared/input/input-value';
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

export function readBoolean(node: ConfigNode): boolean | null {
  if (typeof node.value === 'boolean') return node.value;
  return node.refuse(`${quoteValue(node.value)} is not true or false`, 'true or false');
}

export function readCount(node: ConfigNode, unit: string, least: number, most: number): number | null {
  const { value } = node;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  return node.refuse(
    `${quoteValue(value)} is not accepted here`,
    `a whole number of ${unit} from ${least} to ${most}`,
  );
}

export function readShape(node: ConfigNode, shape: RegExp, what: string, accepted: string): string | null {
  return node.parsed((text) => (shape.test(text) ? text : null), what, accepted);
}

export function readHttpsUrl(node: ConfigNode): string | null {
  return node.parsed((text) => (isPlainHttpsUrl(text) ? text : null), 'such a URL', URL_TEXT);
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

/** Requires distinct items. */
export function readList(node: ConfigNode, rule: ListRule): readonly string[] | null {
  const { accepted, isAccepted, most = Infinity, mayBeEmpty = false } = rule;
  const items = node.items(accepted);
  if (Array.isArray(node.value) && items.length === 0 && !mayBeEmpty) {
    return node.refuse('the list is empty', accepted);
  }
  if (items.length > most) return node.refuse(`${items.length} are too many`, accepted);
  const texts = new Set<string>();
  for (const item of items) {
    const text = item.parsed((value) => (isAccepted(value) ? value : null), 'accepted here', accepted);
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
