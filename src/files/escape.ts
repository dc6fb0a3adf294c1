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

/** Cuts a text after so many characters, and shows that. */
export function shortened(text: string, most: number): string {
  const all = [...text];
  return all.length <= most ? text : `${all.slice(0, most - 1).join('')}…`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Characters that are obeyed rather than shown, by a terminal, an editor or a browser: controls, directions, separators, halves of pairs. */
const OBEYED = /[^\P{C}\t\n]|[\p{Zl}\p{Zp}]/gu;

/** Replaces each character that a display would obey rather than show, except tabs and line feeds. */
export function withoutObeyed(text: string): string {
  return text.replace(OBEYED, '\uFFFD');
}

/** Escapes in a JSON text what a display or a CI runner would obey; its value stays the same. */
export function spelledInJson(json: string): string {
  return json
    .replaceAll('##', '#\\u0023')
    .replace(OBEYED, (character) =>
      [...Array(character.length).keys()]
        .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
        .join(''),
    );
}

/**
 * Makes text fit for XML and HTML, inside an element or a quoted attribute, where ends of lines would be read as
 * spaces. A runner of CI finds no command in it.
 */
export function escapeXml(text: string): string {
  return withoutObeyed(text).replace(
    /[&<>"'\n\t]|#(?=#)|^:(?=:)/g,
    (character) => ENTITIES[character] ?? `&#${character.charCodeAt(0)};`,
  );
}

/** Attributes of an element, each with a space before it. */
export function xmlAttributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
}
