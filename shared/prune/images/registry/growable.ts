/** A column with room for one value at `index`: itself, or a copy that is a quarter longer. */
export function withRoom<Column extends Uint32Array | Float64Array>(column: Column, index: number): Column {
  if (index < column.length) return column;
  const length = Math.max(1024, index + 1, Math.ceil(column.length * 1.25));
  const longer = column instanceof Uint32Array ? new Uint32Array(length) : new Float64Array(length);
  longer.set(column);
  return longer as Column;
}

/** A text of its own: a part of a longer one would keep all of it, such as a page of a listing, in memory. */
export function ownText(text: string): string {
  return String.fromCharCode(...Array.from(text, (character) => character.charCodeAt(0)));
}
