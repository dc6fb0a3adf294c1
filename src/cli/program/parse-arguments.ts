import { type Command, CommanderError, type OutputConfiguration } from 'commander';
import { EXIT } from '../../codes/code-facts.js';
import { shownLines } from '../../codes/redact.js';
import { refuseSecrets } from '../../codes/secrets.js';

/** Commander repeats what it does not understand. */
export const REDACTED_OUTPUT: OutputConfiguration = {
  writeErr: (text) => process.stderr.write(shownLines(text)),
};

/**
 * Parses a command's arguments; commander has printed help or the error when it answers a number.
 *
 * @returns undefined when the command should continue, else the exit status
 * @throws ConnectivityError `credentials.misplaced`
 */
export function parseArguments(command: Command, args: readonly string[]): number | undefined {
  try {
    command.configureOutput(REDACTED_OUTPUT).exitOverride().parse(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
    throw error;
  }
  refuseSecrets(command.opts(), (path) => nameIn(command, path));
  return undefined;
}

/** The flag, or the variable that the value came from. */
function nameIn(command: Command, path: string): string {
  const [attribute = ''] = path.split('.');
  const option = command.options.find((one) => one.attributeName() === attribute);
  const isFromVariable = command.getOptionValueSource(attribute) === 'env';
  return (isFromVariable ? option?.envVar : option?.long) ?? attribute;
}
