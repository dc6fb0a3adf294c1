import { withoutLabelled } from './labelled-secrets.js';

/** The text in place of a secret. */
const REDACTED = '[redacted]';

interface Shape {
  readonly kind: string;
  /** Takes every secret of the shape out of a text, in a time that grows only with its length. */
  readonly remove: (text: string) => string;
}

/** The shapes of secrets, in any text. */
const SHAPES: readonly Shape[] = [
  { kind: 'a private key', remove: withoutPem },
  { kind: 'a JWT', remove: withoutJwts },
  { kind: 'a private key', remove: withoutKeyMembers },
  { kind: 'a private key', remove: withoutLongBase64 },
  { kind: 'an access token', remove: withoutTokens },
  { kind: 'a cloud key', remove: withoutCloudKeys },
];

/**
 * Takes out of a text what no message, report or log may show: keys in PEM or base64, JWTs, access
 * tokens, and user and password of a URL. Whatever turns values into text goes through here, so that
 * a new field cannot forget it.
 */
export function redact(text: string): string {
  if (!mayHoldSecret(text)) return text;
  return SHAPES.reduce((rest, { remove }) => remove(rest), withoutUserInfo(text));
}

/**
 * Does the same with every text in data that is about to be written, and takes out what a terminal
 * obeys: a report has it from the settings, from the cloud, or from a file that others wrote.
 *
 * @param most characters of each text
 */
export function redactAll<T>(value: T, most?: number): T;
export function redactAll(value: unknown, most = Number.POSITIVE_INFINITY): unknown {
  const shown = (text: string) => shownText(text.slice(0, most));
  if (typeof value === 'string') return shown(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactAll(item, most));
  const entries = Object.entries(value).map(([key, item]) => [shown(key), redactAll(item, most)]);
  return Object.fromEntries(entries);
}

function shownText(text: string): string {
  return redact(text).replace(CONTROLS, ' ');
}

/** Characters that are obeyed rather than shown. */
const CONTROLS = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

/** Does the same as {@link redact} with a text of others, and takes out what stands behind a label in it. */
export function redactOthers(text: string): string {
  return withoutLabelled(redact(text), REDACTED);
}

/** Makes a message fit for a terminal. It may have several lines; a value in it is shown as text. */
export function shownLines(message: string): string {
  return redactOthers(message).replace(CONTROLS, (run) => run.replace(/[^\n\t]/g, ' '));
}

/** Returns what kind of secret a text holds; the password of a proxy's URL has its place there. */
export function findSecret(text: string): string | undefined {
  if (!mayHoldSecret(text)) return undefined;
  const rest = withoutUserInfo(text);
  return SHAPES.find(({ remove }) => remove(rest) !== rest)?.kind;
}

/** `{"`, or `{` and white space, in base64: how the header of each JWT begins. */
const JSON_IN_BASE64 = /ey[JA]|ew[0ko]/g;

/** One of these is in everything that is taken out; most texts have none, and are looked at once. */
const TRACES = new RegExp(
  `@|-----BEGIN|${JSON_IN_BASE64.source}|czs_|gh[pousr]_|glpat-|${/A(?:KLT|KTP|KIA|SIA|KID)|LTAI/.source}`,
);
const LONG_RUN = /[\w+/=-]{40}/;

function mayHoldSecret(text: string): boolean {
  return TRACES.test(text) || (text.length >= 40 && LONG_RUN.test(text));
}

/** The beginning of a key's body; a message may name the label alone. */
const PEM_BODY = /^(?:\s|\\{1,4}[nr]|%0[ad]|["'])*(?:[a-z0-9+/=%]{16}|proc-type)/i;

/** A block without its end goes to the end of the text. */
function withoutPem(text: string): string {
  let rest = '';
  let done = 0;
  for (;;) {
    const begin = text.indexOf('-----BEGIN', done);
    const body = begin < 0 ? -1 : text.indexOf('-----', begin + 10) + 5;
    if (begin < 0 || body < 5) return rest + text.slice(done);
    if (PEM_BODY.test(text.slice(body, body + 80))) {
      rest += text.slice(done, begin) + REDACTED;
      const end = text.indexOf('-----END', body);
      if (end < 0) return rest;
      const closed = text.indexOf('-----', end + 8);
      done = closed < 0 ? text.length : closed + 5;
    } else {
      rest += text.slice(done, body);
      done = body;
    }
  }
}

/** `-----BEGIN` in base64, at each of the three places where it can begin. */
const ENCODED_PEM = /LS0tLS1CRUdJTi|0tLS0tQkVHSU4|tLS0tLUJFR0lO/;
const LONG_BASE64 = 180;

/** Lines of base64 that follow one another are one text, as `base64` and PEM wrap it. */
const BASE64_LINES =
  /[\w+/=-]{40}[\w+/=-]*(?:(?:\s|\\{1,4}[nr]){1,4}[\w+/=-]{40}[\w+/=-]*)*(?:(?:\s|\\{1,4}[nr]){1,4}[\w+/-]{0,75}={0,2}(?![\w+/-]))?/g;

function withoutLongBase64(text: string): string {
  if (text.length < 40) return text;
  return text.replace(BASE64_LINES, (lines) => {
    const isKey =
      ENCODED_PEM.test(lines) ||
      (lines.length >= LONG_BASE64 &&
        // No path, no padding, no digest in hexadecimal.
        lines.split('/').some((part) => part.length >= 40) &&
        [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(lines)));
    return isKey ? REDACTED : lines;
  });
}

const MIN_HEADER = 8;

function withoutJwts(text: string): string {
  if (text.length < MIN_HEADER || text.search(JSON_IN_BASE64) < 0) return text;
  return text.replace(/[\w.-]+/g, (run) => {
    for (const { index } of run.matchAll(JSON_IN_BASE64)) {
      const [head = ''] = run.slice(index, index + 16).split('.');
      if (head.length >= MIN_HEADER && isJson(head)) return run.slice(0, index) + REDACTED;
    }
    return run;
  });
}

function isJson(base64: string): boolean {
  return /^\{[\t\n\r -~]+$/.test(Buffer.from(base64, 'base64url').toString('latin1'));
}

/** Members of a JWK that only a private key has, in JSON or in what a shell has left of it. */
const KEY_MEMBERS =
  /(?<![\w-])((?:dp|dq|qi|[dpqk])["'\\]*\s*[:=]\s*["'\\]*)[\w+/-]{32}[\w+/-]*={0,2}/g;

function withoutKeyMembers(text: string): string {
  return text.length < 40 ? text : text.replace(KEY_MEMBERS, `$1${REDACTED}`);
}

/** Access tokens of the service begin as in its documentation; those of forges stand in CI. */
const TOKENS =
  /\b(?:czs_[\w-]{8}[\w-]*|gh[pousr]_[A-Za-z0-9]{20}[A-Za-z0-9]*|glpat-[\w-]{16}[\w-]*)/g;

function withoutTokens(text: string): string {
  return text.replace(TOKENS, REDACTED);
}

const ACCESS_KEYS =
  /\b(?:AK(?:LT|TP)[\w+/-]{16}[\w+/-]*={0,2}|(?:AKIA|ASIA)[A-Z0-9]{16}|(?:AKID|LTAI)[A-Za-z0-9]{12}[A-Za-z0-9]*)/g;

/** Lengths of the secret keys of clouds: no digest has them, nor the end of a fingerprint (43 of base64url). */
const SECRET_KEYS =
  /(?<![A-Za-z0-9+/.]|(?<![\w+/.-])[\w-]{2}[_-])(?:[A-Za-z0-9+/]{40}|[A-Za-z0-9+/]{50,58}={1,2})(?![\w+/=.-])/g;

function withoutCloudKeys(text: string): string {
  return text.replace(ACCESS_KEYS, REDACTED).replace(SECRET_KEYS, (word) => {
    const isMixed = [/[a-z]/, /[A-Z]/, /\d.*\d/].every((kind) => kind.test(word));
    // No path has so few slashes and such names.
    return isMixed && word.split('/').length <= 4 && !word.startsWith('/') ? REDACTED : word;
  });
}

/** A password that was not percent-encoded may hold white space and quotation marks; a port is none. */
const UNENCODED_USER = /(:\/\/)[^\s/@:[\]"'<>`]*:(?!\d{0,5}(?:[/\s"'<>`),;]|$))[^@\n]{1,200}@/g;

function withoutUserInfo(text: string): string {
  if (!text.includes('@')) return text;
  return text.replace(UNENCODED_USER, '$1…@').replace(/[^\s"<>`]+/g, (run) => {
    const at = run.lastIndexOf('@');
    const scheme = run.indexOf('://');
    if (scheme >= 0 && at > scheme) return `${run.slice(0, scheme + 3)}…${run.slice(at)}`;
    // Clients take `user:password@host` without a scheme, too.
    const colon = run.indexOf(':');
    return scheme < 0 && colon > 0 && colon < at ? `…${run.slice(at)}` : run;
  });
}

/** Shows a text that ought to be a URL, and may be none, without user and password. */
export function withoutUser(url: string): string {
  const at = url.lastIndexOf('@');
  const scheme = url.indexOf('//');
  if (scheme >= 0 && scheme < at) return `${url.slice(0, scheme)}//…${url.slice(at)}`;
  return at < 0 ? url : `…${url.slice(at)}`;
}

const MAX_SHOWN = 300;

/** The length of an error of this program: it may end in a command with a path. */
const MAX_ERROR = 1_000;

/**
 * Makes text from outside fit to be shown: one line, no control characters that a terminal obeys,
 * nothing shaped like a secret, and not longer than 300 characters.
 */
export function safeText(text: string): string {
  return shownTo(MAX_SHOWN, text);
}

/** Makes an error of this program, which may quote text from outside, fit to be shown as {@link safeText} does. */
export function safeError(message: string): string {
  return shownTo(MAX_ERROR, message);
}

function shownTo(most: number, text: string): string {
  // Cut before anything is searched in it: what answers in the service's place sends what it likes.
  const plain = redactOthers(text.slice(0, 4 * most))
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ')
    .trim();
  const isCut = plain.length > most || text.length > 4 * most;
  return isCut ? `${plain.slice(0, most).trimEnd()}…` : plain;
}
