const LABEL = String.raw`[\w.-]*?(?:token|password|passwd|pwd|passphrase|secret|secret[_-]?(?:access[_-]?)?key|access[_-]?key[_-]?secret|api[_-]?key|authorization|cookie)`;
const SCHEME = 'basic|bearer|digest|negotiate|ntlm|token';

/** A label, what parts it from its value, and the value, in quotes or not; `bearer` is a label of its own. */
const LABELLED = new RegExp(
  [
    String.raw`(?<![\w.-])(?<!unexpected\s)`,
    String.raw`(${LABEL}\\*["']?[ \t]*[:=：][ \t]*(?:(?:${SCHEME})[ \t]+)?|--${LABEL}[ \t]+|bearer\s+)`,
    String.raw`(\\*["'])?((?<=["'])[^"'\\\n]+|[^\s"'<>,;&}\])\\]+)`,
  ].join(''),
  'gi',
);
const PARAMETERS = /^(?:realm|scope|error|error_description|error_uri)=$/;

/** Words that say something of a credential, and are none. */
const SAID = new Set(
  `a an and are at aud audience auth authentication authorization bad basic be bearer been between blank by can claim claims could
  credential credentials data default digest does empty error exp failure false field file for from has have
  header iat in incorrect id invalid is iss issuer it its jti jwt key kid local lost malformed mismatch missing module must negotiate
  no none not ntlm null of ok on optional or password permission permissions region scheme scope secret shorter should signature string that the this to
  token tokens too true type unauthorized undefined unknown unset value var was were with without wrong yes`.split(
    /\s+/,
  ),
);

/**
 * Takes out of a text the values that stand behind a label such as `password=`, `token:` or
 * `Authorization:`. What only says something of them, such as "token: expired", stays.
 *
 * @param redacted stands in place of a value
 */
export function withoutLabelled(text: string, redacted: string): string {
  return text.replace(
    LABELLED,
    (all, label: string, quote: string | undefined, value: string, at) => {
      const after = text.slice(at + all.length, at + all.length + 3);
      const isSaying = quote === undefined && /(^--.*|[:=：])[ \t]+$/.test(label);
      const isParameter = /^bearer/i.test(label) && PARAMETERS.test(value) && after.startsWith('"');
      const isKept = isParameter || !isValue(value, isSaying ? after : '');
      return isKept ? all : `${label}${quote ?? ''}${redacted}`;
    },
  );
}

function isValue(value: string, after: string): boolean {
  const bare = value.replace(/[.!?:]+$/, '');
  // A variable or another place for a value, another language, a URL, a date, an address, a status.
  if (/^[[$<{(*%]|^\w+:\/\/|^[^\x21-\x7e]|^[\d.:/-]*[.:/-][\d.:/-]*$|^\d{0,5}$/.test(bare))
    return false;
  const words = bare.split(/[\s_./-]+/);
  if (!words.every((word) => /^[A-Za-z]*$/.test(word))) return true;
  if (words.some((word) => SAID.has(word.toLowerCase()) || /.(ed|ing)$/.test(word))) return false;
  // A word that others follow is part of a sentence, unless it is none.
  const isWord = bare.length < 20 && !/[a-z][A-Z].*[a-z][A-Z]/.test(bare);
  return !isWord || !/^(\s+\w|['’][a-z])/.test(after);
}
