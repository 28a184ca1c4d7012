type Attributes = Readonly<Record<string, string | number>>;

/** An SVG element outside of the page. Values only ever become attributes and text, never markup. */
export function svgElement<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes,
  children: readonly (Node | string)[] = [],
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}
