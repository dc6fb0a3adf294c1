import { type Command, CommanderError } from 'commander';
import { EXIT } from '../codes/code-facts.js';

/**
 * Parses a command's arguments; commander has printed help or the error when it answers a number.
 *
 * @returns undefined when the command shall go on, else the exit status
 */
export function parseArguments(command: Command, args: readonly string[]): number | undefined {
  try {
    command.exitOverride().parse(args, { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
    throw error;
  }
}
