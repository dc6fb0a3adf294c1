/** A token of an expression in Terraform's language. */
export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'mark';
  readonly text: string;
  /** Those of a text. */
  readonly parts?: readonly Part[];
}

/** A part of a template: text, or what Terraform evaluates in its place. */
export interface Part {
  /** As it is written. */
  readonly source: string;
  /** The text, without its escapes. */
  readonly literal?: string;
  /** Those between the brackets. */
  readonly tokens?: readonly Token[];
}

/** Nested templates and brackets that people write are few. */
const MAX_DEPTH = 100;

const SPACE = /[ \t\r\n]+/y;
const COMMENT = /(?:#|\/\/)[^\n]*|\/\*[\s\S]*?\*\//y;
const HEREDOC = /<<-?([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n/uy;
const NAME = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A bracket behind a doubled sign is text. */
const OPENING = /\$\$\{|%%\{|[$%]\{/y;
const PLAIN = /[^$%\n]+/y;
const PLAIN_QUOTED = /[^$%"\\\n]+/y;
const MARK = /::|[-+*/%<>=!&|?:.,()[\]{}~]/y;

/** Tells whether Terraform evaluates a text, or would without an escape in it. */
export function isTemplate(text: string): boolean {
  return text.includes('${') || text.includes('%{');
}

/** The parts of a string of JSON configuration, or of a template's file; what keeps Terraform or this package from reading it. */
export function readTemplate(text: string): readonly Part[] | string {
  try {
    return new Lexer(text).template('', 0);
  } catch (error) {
    if (error instanceof UnreadableText) return error.message;
    throw error;
  }
}

/** The parts of a text; undefined where it cannot be read. */
export function partsOf(text: string): readonly Part[] | undefined {
  const read = readTemplate(text);
  return typeof read === 'string' ? undefined : read;
}

class UnreadableText extends Error {}

/** The text that a template is, if nothing in it is computed. */
export function literalOf(parts: readonly Part[]): string | undefined {
  const isLiteral = parts.every(({ tokens }) => tokens === undefined);
  return isLiteral ? parts.map(({ literal = '' }) => literal).join('') : undefined;
}

class Lexer {
  #at = 0;

  constructor(private readonly text: string) {}

  /** Reads to the bracket that closes a template. */
  #expression(depth: number): Token[] {
    if (depth > MAX_DEPTH) throw new UnreadableText('too deep nesting');
    const found: Token[] = [];
    let open = 0;
    while (this.#at < this.text.length) {
      const token = this.#next(depth);
      if (token === undefined) continue;
      if (token.text === '{' && token.kind === 'mark') open += 1;
      if (token.text === '}' && token.kind === 'mark') {
        if (open === 0) return found;
        open -= 1;
      }
      found.push(token);
    }
    throw new UnreadableText('a template without its end');
  }

  #next(depth: number): Token | undefined {
    if (this.#take(SPACE) !== undefined) return undefined;
    const [comment] = this.#take(COMMENT) ?? [];
    // Terraform may end a line elsewhere than a reader who sees this character.
    if (comment !== undefined && /\r./.test(comment)) throw new UnreadableText('a carriage return');
    if (comment !== undefined) return undefined;
    if (this.text.startsWith('/*', this.#at)) throw new UnreadableText('a comment without its end');
    const character = this.text[this.#at];
    const [, end] = (character === '"' ? ['', '"'] : this.#take(HEREDOC)) ?? [];
    if (end !== undefined) {
      if (end === '"') this.#at += 1;
      return { kind: 'text', text: '"', parts: this.template(end, depth) };
    }
    for (const [kind, pattern] of TOKENS) {
      const [text] = this.#take(pattern) ?? [];
      if (text !== undefined) return { kind, text };
    }
    throw new UnreadableText(`"${character}"`);
  }

  /** Reads a text with its templates. @param end the quotation mark, the word of a text in lines, or '' for a whole text */
  template(end: string, depth: number): Part[] {
    const parts: Part[] = [];
    let literal = '';
    let from = this.#at;
    const addText = () => {
      if (this.#at > from) parts.push({ source: this.text.slice(from, this.#at), literal });
      [literal, from] = ['', this.#at];
    };
    for (;;) {
      const isAtEnd = this.#at >= this.text.length;
      if (isAtEnd && end !== '') throw new UnreadableText('a text without its end');
      const length = isAtEnd ? 0 : this.#endOfText(end);
      if (length !== undefined) {
        addText();
        this.#at += length;
        return parts;
      }
      const [opening] = this.#take(OPENING) ?? [];
      if (opening?.length === 2) {
        this.#at -= 2;
        addText();
        this.#at += 2;
        const tokens = this.#expression(depth + 1);
        parts.push({ source: this.text.slice(from, this.#at), tokens });
        from = this.#at;
      } else literal += opening?.slice(1) ?? this.#character(end);
    }
  }

  /** The length of what ends a text here, if it does: a line of a word's own ends one in lines. */
  #endOfText(end: string): number | undefined {
    if (end === '') return undefined;
    if (end === '"') return this.text[this.#at] === '"' ? 1 : undefined;
    if (this.text[this.#at - 1] !== '\n') return undefined;
    const line = this.text.slice(this.#at, this.text.indexOf('\n', this.#at) + 1);
    if (line.replaceAll(ODD_SPACE, '').trim() !== end) return undefined;
    if (line.search(ODD_SPACE) >= 0) throw new UnreadableText('a text of several lines');
    return line.length;
  }

  #character(end: string): string {
    const character = this.text[this.#at] ?? '';
    if (end === '"' && character === '\n') throw new UnreadableText('a text of several lines');
    if (end === '"' && character === '\\') return this.#escape();
    const [plain] = this.#take(end === '"' ? PLAIN_QUOTED : PLAIN) ?? [];
    if (plain === undefined) this.#at += 1;
    return plain ?? character;
  }

  #escape(): string {
    const [all] = this.#take(/\\(?:[nrt"\\]|u[\da-fA-F]{4}|U[\da-fA-F]{8})/y) ?? [];
    if (all === undefined) throw new UnreadableText('an unknown escape');
    if (/^\\U/.test(all))
      return String.fromCodePoint(Math.min(0x10ffff, parseInt(all.slice(2), 16)));
    return JSON.parse(`"${all}"`) as string;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }
}

const TOKENS = [
  ['name', NAME],
  ['number', NUMBER],
  ['mark', MARK],
] as const;

/** Spaces for Terraform or for JavaScript, and not for both. */
const ODD_SPACE = /[\u0085\ufeff]/gu;
