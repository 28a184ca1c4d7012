import { isIP } from 'node:net';
import type { ConfigNode } from '@cairn/shared/input/input-value';
import { quoteValue } from '@cairn/shared/text/quote';

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

/** A text of this shape. */
export function readShape(node: ConfigNode, shape: RegExp, what: string, accepted: string): string | null {
  return node.parsed((text) => (shape.test(text) ? text : null), what, accepted);
}

export function readHttpsUrl(node: ConfigNode): string | null {
  return node.parsed((text) => (isPlainHttpsUrl(text) ? text : null), 'such a URL', URL_TEXT);
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

/** A full host name, in lower case as certificates and registries have it. */
export function isHostName(text: string): boolean {
  return HOST.test(text);
}
