/** A token of Terraform's language. */
export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'mark' | 'newline';
  readonly text: string;
  readonly line: number;
  /** The text itself, if nothing in it is computed but the folder of the stack. */
  readonly literal?: string;
  /** The tokens of a text's templates. */
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

const SPACE = /[ \t\r]+/y;
const COMMENT = /(?:#|\/\/)[^\n]*|\/\*[\s\S]*?\*\//y;
const HEREDOC = /<<-?([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n/uy;
const NAME = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Everything that one reader or another takes for white space. */
const ANY_BLANK = /[\s\p{White_Space}\p{Cf}]/gu;
const MARK = /::|[-+*/%<>=!&|?:.,()[\]{}~]/y;

/** @throws UnreadableText */
export function readTokens(text: string): Token[] {
  // Terraform ends a line elsewhere than a reader who sees this character.
  if (/\r(?!\n)/.test(text)) throw new UnreadableText('a carriage return', 1);
  return new Lexer(text).expression(false, 0);
}

/** The tokens of the templates in a string of JSON configuration. @throws UnreadableText */
export function readTemplate(text: string): Token {
  return new Lexer(text).template('', 0);
}

class Lexer {
  #at = 0;
  #line = 1;

  constructor(private readonly text: string) {}

  /** Reads to the end, or to the bracket that closes a template. */
  expression(isTemplate: boolean, depth: number): Token[] {
    if (depth > MAX_DEPTH) throw this.#unreadable('too deep nesting');
    const found: Token[] = [];
    let open = 0;
    while (this.#at < this.text.length) {
      const token = this.#next(depth);
      if (token === undefined) continue;
      if (token.text === '{' && token.kind === 'mark') open += 1;
      if (token.text === '}' && token.kind === 'mark') {
        if (isTemplate && open === 0) return found;
        open -= 1;
      }
      found.push(token);
    }
    if (isTemplate) throw this.#unreadable('a template without its end');
    return found;
  }

  #next(depth: number): Token | undefined {
    const line = this.#line;
    if (this.#take(SPACE) !== undefined || this.#take(COMMENT) !== undefined) return undefined;
    if (this.text.startsWith('/*', this.#at)) throw this.#unreadable('a comment without its end');
    const character = this.text[this.#at];
    if (character === '\n') {
      this.#advance(1);
      return { kind: 'newline', text: '\n', line };
    }
    if (character === '"') {
      this.#advance(1);
      return this.template('"', depth);
    }
    const [, marker] = this.#take(HEREDOC) ?? [];
    if (marker !== undefined) return this.#heredoc(marker, depth);
    for (const [kind, pattern] of [
      ['name', NAME],
      ['number', NUMBER],
      ['mark', MARK],
    ] as const) {
      const [text] = this.#take(pattern) ?? [];
      if (text !== undefined) return { kind, text, line };
    }
    throw this.#unreadable(`"${character}"`);
  }

  /** Reads a text with its templates. @param end the quotation mark, or '' for a whole text */
  template(end: '"' | '', depth: number): Token {
    const parts = new Parts(this.#line);
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
    parts.embed(this.expression(true, depth + 1));
    return true;
  }

  #heredoc(marker: string, depth: number): Token {
    const parts = new Parts(this.#line);
    for (let start = this.#at, isWholeLine = true; this.#at < this.text.length; ) {
      const end = this.text.indexOf('\n', this.#at);
      const rest = this.text.slice(start, end < 0 ? undefined : end);
      if (start === this.#at && rest.replaceAll(ANY_BLANK, '') === marker) {
        // Terraform may or may not end it after a template in the same line, or beside such a blank.
        if (!isWholeLine) throw this.#unreadable(`"${marker}" after a template`);
        if (/[^ \t\r]/.test(rest.replace(marker, ''))) {
          throw this.#unreadable(`"${marker}" beside a blank that is no space`);
        }
        this.#advance((end < 0 ? this.text.length : end) - this.#at);
        return parts.token();
      }
      if (this.#interpolation(parts, depth)) {
        start = this.#at;
        isWholeLine = false;
        continue;
      }
      if (this.#advanceInto(parts) === '\n') {
        start = this.#at;
        isWholeLine = true;
      }
    }
    throw this.#unreadable('a text without its end');
  }

  #advanceInto(parts: Parts): string {
    const character = this.#advance(1);
    parts.add(character);
    return character;
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

  constructor(private readonly line: number) {}

  add(text: string): void {
    if (this.#literal !== undefined) this.#literal += text;
  }

  embed(tokens: readonly Token[]): void {
    const isFolder = /^path\.(?:module|root)$/.test(tokens.map(({ text }) => text).join(''));
    if (isFolder) this.add('.');
    else this.#literal = undefined;
    // Two templates are two expressions.
    this.#inner.push(...tokens, { kind: 'newline', text: '\n', line: this.line });
  }

  token(): Token {
    return {
      kind: 'text',
      text: '"',
      line: this.line,
      inner: this.#inner,
      ...(this.#literal !== undefined && { literal: this.#literal }),
    };
  }
}
