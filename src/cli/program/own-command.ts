/** Holds the words before a command with which it runs in this sandbox again. */
export const SANDBOX_COMMAND_VARIABLE = 'SECURE_CONNECTIVITY_SANDBOX_COMMAND';

/** Writes a command of this program as its reader can run it: from within a sandbox, in the same one. */
export function ownCommand(...words: readonly string[]): string {
  const { [SANDBOX_COMMAND_VARIABLE]: sandbox = '' } = process.env;
  const program = 'npx secure-connectivity';
  return [...(sandbox === '' ? [] : [sandbox]), program, ...words].join(' ');
}
