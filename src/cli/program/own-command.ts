/** Holds the words before a command with which it runs in this sandbox again. */
export const SANDBOX_COMMAND_VARIABLE = 'SECURE_CONNECTIVITY_SANDBOX_COMMAND';

/** Its value in a sandbox whose state is removed at its end: no command can run in it again. */
export const NO_COMMAND = 'none';

/**
 * Writes a command of this program as its reader can run it: from within a sandbox, in the same one.
 *
 * @returns undefined where that sandbox cannot be started again
 */
export function ownCommand(...words: readonly string[]): string | undefined {
  const { [SANDBOX_COMMAND_VARIABLE]: sandbox = '' } = process.env;
  if (sandbox === NO_COMMAND) return undefined;
  const program = 'npx secure-connectivity';
  return [...(sandbox === '' ? [] : [sandbox]), program, ...words].join(' ');
}
