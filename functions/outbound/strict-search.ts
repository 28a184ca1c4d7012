/** The one way to write a query that a signature knows: `URLSearchParams` writes a space as `+`. */
export function strictSearch(search: URLSearchParams): string {
  const encode = (text: string): string =>
    encodeURIComponent(text).replaceAll(
      /[!'()*]/g,
      (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  return [...search].map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}
