import type { Command } from 'commander';
import type { Flags } from './flags.js';

/** The flags without those whose value came from a variable. */
export function typedFlags(command: Command): Flags {
  const fromVariables = command.options
    .map((option) => option.attributeName())
    .filter((name) => command.getOptionValueSource(name) === 'env');
  const left = Object.fromEntries(fromVariables.map((name) => [name, undefined]));
  return { ...command.opts<Flags>(), ...left };
}
