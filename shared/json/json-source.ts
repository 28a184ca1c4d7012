/**
 * The items of a JSON array, or the keys and values of an object in turn, as they stand in the text: `[4.10, "a"]` →
 * `4.10`, `"a"`, where a parser would have made 4.1 of the first. The text must be JSON.
 */
export function sourceParts(json: string): string[] {
  const parts: string[] = [];
  const start = json.search(/[[{]/) + 1;
  let from = start;
  let open = 0;
  let isInString = false;
  for (let at = start; at < json.length; at++) {
    const character = json[at]!;
    if (isInString) {
      if (character === '\\') at++;
      else if (character === '"') isInString = false;
      continue;
    }
    if (character === '"') isInString = true;
    else if (character === '{' || character === '[') open++;
    else if (character === '}' || character === ']') open--;
    const isPartOver = open < 0 || (open === 0 && (character === ',' || character === ':'));
    if (!isPartOver) continue;
    const part = json.slice(from, at).trim();
    if (part !== '') parts.push(part);
    from = at + 1;
  }
  return parts;
}

/** The members of a JSON object by key, each as it stands in the text; of a key given twice the last, as parsers do. */
export function sourceMembers(json: string): ReadonlyMap<string, string> {
  const parts = sourceParts(json);
  const members = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2)
    members.set(JSON.parse(parts[at]!) as string, parts[at + 1]!);
  return members;
}
