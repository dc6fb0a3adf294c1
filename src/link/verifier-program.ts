/** This package's program, by its name on the PATH. */
export const NAMED_PROGRAM = 'secure-connectivity';

/**
 * Words that run the program on the PATH, or else the one that the root's project has installed. It
 * is never downloaded: the name alone could be anybody's package.
 */
export const INSTALLED_PROGRAM: readonly string[] = [
  'sh',
  '-c',
  `command -v ${NAMED_PROGRAM} >/dev/null && exec ${NAMED_PROGRAM} "$@"; exec npx --no-install ${NAMED_PROGRAM} "$@"`,
  NAMED_PROGRAM,
];

/** Takes the words off that run the installed program, but for its name; leaves others as they are. */
export function withoutShell(words: readonly string[]): readonly string[] {
  const isOwn = INSTALLED_PROGRAM.every((word, i) => words[i] === word);
  return isOwn ? words.slice(INSTALLED_PROGRAM.length - 1) : words;
}
