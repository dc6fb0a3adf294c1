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
