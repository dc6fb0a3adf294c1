/** A token of an expression in Terraform's language. */
export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'mark';
  readonly text: string;
  /** The text itself, if nothing in it is computed but the folder of the stack. */
  readonly literal?: string;
  /** The tokens of a text's templates; a mark begins each. */
  readonly inner?: readonly Token[];
}

/** An error: a text that cannot be read as Terraform reads it. */
export class UnreadableText extends Error {
  override readonly name = 'UnreadableText';

  constructor(
    readonly what: string,
    readonly line: number,
  ) {
    super(`${what} in line ${line}`);
  }
}

/** Nested templates and brackets that people write are few. */
const MAX_DEPTH = 100;

const SPACE = /[ \t\r\n]+/y;
const COMMENT = /(?:#|\/\/)[^\n]*|\/\*[\s\S]*?\*\//y;
const HEREDOC = /<<-?[\p{ID_Start}_]/uy;
const NAME = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const MARK = /::|[-+*/%<>=!&|?:.,()[\]{}~]/y;

/** The tokens of the templates in a string of JSON configuration. @throws UnreadableText */
export function readTemplate(text: string): Token {
  return new Lexer(text).template('', 0);
}

class Lexer {
  #at = 0;
  #line = 1;

  constructor(private readonly text: string) {}

  /** Reads to the bracket that closes a template. */
  #expression(depth: number): Token[] {
    if (depth > MAX_DEPTH) throw this.#unreadable('too deep nesting');
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
    throw this.#unreadable('a template without its end');
  }

  #next(depth: number): Token | undefined {
    if (this.#take(SPACE) !== undefined) return undefined;
    const [comment] = this.#take(COMMENT) ?? [];
    // Terraform may end a line elsewhere than a reader who sees this character.
    if (comment !== undefined && /\r./.test(comment)) throw this.#unreadable('a carriage return');
    if (comment !== undefined) return undefined;
    if (this.text.startsWith('/*', this.#at)) throw this.#unreadable('a comment without its end');
    const character = this.text[this.#at];
    if (character === '"') {
      this.#advance(1);
      return this.template('"', depth);
    }
    if (this.#take(HEREDOC)) throw this.#unreadable('a text in several lines');
    for (const [kind, pattern] of [
      ['name', NAME],
      ['number', NUMBER],
      ['mark', MARK],
    ] as const) {
      const [text] = this.#take(pattern) ?? [];
      if (text !== undefined) return { kind, text };
    }
    throw this.#unreadable(`"${character}"`);
  }

  /** Reads a text with its templates. @param end the quotation mark, or '' for a whole text */
  template(end: '"' | '', depth: number): Token {
    const parts = new Parts();
    for (;;) {
      const character = this.text[this.#at];
      if (character === undefined) {
        if (end === '') return parts.token();
        throw this.#unreadable('a text without its end');
      }
      if (character === end) {
        this.#advance(1);
        return parts.token();
      }
      if (end !== '' && character === '\n') throw this.#unreadable('a text of several lines');
      if (end !== '' && character === '\\') parts.add(this.#escape());
      else if (!this.#interpolation(parts, depth)) parts.add(this.#advance(1));
    }
  }

  #escape(): string {
    const [all] = this.#take(/\\(?:[nrt"\\]|u[\da-fA-F]{4}|U[\da-fA-F]{8})/y) ?? [];
    if (all === undefined) throw this.#unreadable('an unknown escape');
    if (/^\\U/.test(all))
      return String.fromCodePoint(Math.min(0x10ffff, parseInt(all.slice(2), 16)));
    return JSON.parse(`"${all}"`) as string;
  }

  /** Takes `${…}`, `%{…}` and their escapes. */
  #interpolation(parts: Parts, depth: number): boolean {
    const [opening] = this.#take(/[$%]+\{/y) ?? [];
    if (opening === undefined) return false;
    if (opening === '$${' || opening === '%%{') {
      parts.add(opening.slice(1));
      return true;
    }
    if (opening.length > 2) throw this.#unreadable(`"${opening}"`);
    parts.embed(this.#expression(depth + 1));
    return true;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.#advance(found[0].length);
    return found;
  }

  #advance(length: number): string {
    const taken = this.text.slice(this.#at, this.#at + length);
    this.#at += length;
    for (const character of taken) if (character === '\n') this.#line += 1;
    return taken;
  }

  #unreadable(what: string): UnreadableText {
    return new UnreadableText(what, this.#line);
  }
}

class Parts {
  #literal: string | undefined = '';
  readonly #inner: Token[] = [];

  add(text: string): void {
    if (this.#literal !== undefined) this.#literal += text;
  }

  embed(tokens: readonly Token[]): void {
    const isFolder = /^path\.(?:module|root)$/.test(tokens.map(({ text }) => text).join(''));
    if (isFolder) this.add('.');
    else this.#literal = undefined;
    this.#inner.push({ kind: 'mark', text: '${' }, ...tokens);
  }

  token(): Token {
    return {
      kind: 'text',
      text: '"',
      inner: this.#inner,
      ...(this.#literal !== undefined && { literal: this.#literal }),
    };
  }
}
