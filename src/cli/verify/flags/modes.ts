import type { Command } from 'commander';
import { usageError } from '../../../codes/connectivity-error.js';
import { nameIn } from '../../program/arguments.js';
import { CREDENTIAL_FLAGS } from './credentials.js';
import { type FlagRow, readNetwork } from './row.js';
import type { Flags } from './table.js';

/** The flags that make `verify` do less than a check, and those that only such a run has. */
export const MODE_FLAGS = {
  preflight: {
    flag: '--preflight [cidr...]',
    about:
      'prove without a packet that a check can run here: credentials, key, and location in one of these networks',
    read: readNetwork,
    isRepeatable: true,
  },
  from: {
    flag: '--from <files...>',
    about:
      'report what --format json or jsonl saved, and exit as the check did; - for standard input',
    isRepeatable: true,
  },
  exitStatus: {
    flag: '--exit-status',
    about: 'with --from: print only the outcome of each link',
  },
} as const satisfies Readonly<Record<string, FlagRow>>;

/** The flags of `verify`: those of a check, and of its other modes. */
export type VerifyFlags = Flags & {
  /** The networks that may call the service; true for any. */
  readonly preflight?: true | readonly string[];
  readonly from?: readonly string[];
  readonly exitStatus?: boolean;
};

/** The flags that each of these modes takes. */
const TAKEN = {
  preflight: [
    ...['apiHost', 'ownAddress', 'proxy', 'reportOnly', 'title'],
    // It is there to prove the credentials.
    ...Object.keys(CREDENTIAL_FLAGS).filter((name) => name !== 'auth'),
  ],
  exitStatus: ['from', 'title', 'strict', 'reportOnly'],
  from: ['format', 'title', 'verbose', 'strict', 'reportOnly'],
} as const;

/**
 * Refuses flags that say nothing beside `--preflight` or `--from`, or nothing without them.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function refuseMixedModes(command: Command): void {
  const typed = command.options
    .map((option) => option.attributeName())
    .filter((name) => command.getOptionValueSource(name) === 'cli');
  const nameOf = (attribute: string) => nameIn(command, attribute);
  if (typed.includes('exitStatus') && !typed.includes('from')) {
    throw usageError('`--exit-status` needs `--from` beside it');
  }
  for (const mode of ['preflight', 'exitStatus', 'from'] as const) {
    if (!typed.includes(mode)) continue;
    const taken: readonly string[] = [mode, ...TAKEN[mode]];
    const others = typed.filter((name) => !taken.includes(name));
    if (others.length === 0) return;
    throw usageError(
      `\`${nameOf(mode)}\` must not have flags beside it that it does not use, got: ${others.map(nameOf).join(', ')}`,
    );
  }
}
