/**
 * Text as one word of a shell, in quotes only where it needs them. Control characters, which a terminal
 * would obey, are spelled as Bash and Zsh read them.
 */
export function shellWord(text: string): string {
  if (CONTROL.test(text)) return `$'${text.replace(SPELLED, spelling)}'`;
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const SPELLED = /['\\\p{Cc}\p{Cf}\u2028\u2029]/gu;

function spelling(character: string): string {
  if (character === "'" || character === '\\') return `\\${character}`;
  const point = character.codePointAt(0) ?? 0;
  return `\\U${point.toString(16).padStart(8, '0')}`;
}

/** Text of others on one line of a terminal: it neither moves the cursor nor adds a line. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
}

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

/** Shows a replacement character for each one that would change the order in which text is displayed. */
export function withoutBidi(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, '\uFFFD');
}

/** Makes text fit for XML and HTML, inside an element or a quoted attribute. */
export function escapeXml(text: string): string {
  return withoutBidi(text)
    .replace(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"'\n\t]/g, (character) => ENTITIES[character] ?? character);
}

/** Attributes of an element, each with a space before it. */
export function xmlAttributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
}
