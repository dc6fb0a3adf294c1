const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // As they are, they would be read as spaces in an attribute.
  '\n': '&#10;',
  '\t': '&#9;',
};

/** Makes text fit for XML and HTML, inside an element or a quoted attribute. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"'\n\t]/g, (character) => ENTITIES[character] ?? character);
}

/** Attributes of an element, each with a space before it. */
export function xmlAttributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
}
