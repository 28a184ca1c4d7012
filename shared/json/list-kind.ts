const LIST = 'List';

/** `List` itself, and the list of one kind: `NodeList`. */
export function isListKind(kind: string): boolean {
  return kind.endsWith(LIST);
}

/** The kind that items of a list have when they do not say it themselves: `NodeList` → `Node`; null for `List`. */
export function itemKindOf(listKind: string | null): string | null {
  if (listKind === null || listKind === LIST || !isListKind(listKind)) return null;
  return listKind.slice(0, -LIST.length);
}
