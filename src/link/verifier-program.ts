/** This package's program, by its name on the PATH. */
export const NAMED_PROGRAM = 'secure-connectivity';

const INSTALLED = `node_modules/.bin/${NAMED_PROGRAM}`;
const NOT_INSTALLED = `${NAMED_PROGRAM} must be on the PATH, or installed in the folder where Terraform runs or one above it: npm install cdktf-secure-connectivity; run_check = false leaves the check out`;

/**
 * Words that run the program on the PATH, or else the one that the root's project has installed. No
 * registry is asked for it: the name alone could be anybody's package.
 */
export const INSTALLED_PROGRAM: readonly string[] = [
  'sh',
  '-c',
  [
    `command -v ${NAMED_PROGRAM} >/dev/null && exec ${NAMED_PROGRAM} "$@"`,
    `at=$PWD; until [ -x "$at/${INSTALLED}" ] || [ "$at" = "$(dirname "$at")" ]; do at=$(dirname "$at"); done`,
    `[ -x "$at/${INSTALLED}" ] && exec "$at/${INSTALLED}" "$@"`,
    `echo '${NOT_INSTALLED}' >&2; exit 127`,
  ].join('; '),
  NAMED_PROGRAM,
];

/** Takes the words off that run the installed program, but for its name; leaves others as they are. */
export function withoutShell(words: readonly string[]): readonly string[] {
  const isOwn = INSTALLED_PROGRAM.every((word, i) => words[i] === word);
  return isOwn ? words.slice(INSTALLED_PROGRAM.length - 1) : words;
}
