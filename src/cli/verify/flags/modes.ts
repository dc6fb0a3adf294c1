import type { Command } from 'commander';
import { usageError } from '../../../codes/connectivity-error.js';
import { nameIn } from '../../program/arguments.js';
import { CREDENTIAL_FLAGS } from './credentials.js';
import { type FlagRow, readDuration, readNetwork } from './row.js';
import type { Flags } from './table.js';

/** The flags that make `verify` do less than a check, and those that only such a run has. */
export const MODE_FLAGS = {
  preflight: {
    flag: '--preflight',
    about:
      'prove only that a check can run on this machine: credentials, private key and location; sends no packets; needs --api-host',
  },
  network: {
    flag: '--network <cidr>',
    about:
      'with --preflight: a network that may call the service; repeatable (default: every network)',
    read: readNetwork,
    isRepeatable: true,
  },
  from: {
    flag: '--from <files...>',
    about:
      'instead of checking, report results that --format json or jsonl saved; several files make one report; - for standard input; exits as the check did, and with 0 only if every link was seen to work',
    isRepeatable: true,
  },
  exitStatus: {
    flag: '--exit-status',
    about: 'with --from: print only the outcome of each link',
  },
  maxAge: {
    flag: '--max-age <duration>',
    about: 'with --from: exit 20 when the results are older',
    read: readDuration,
  },
} as const satisfies Readonly<Record<string, FlagRow>>;

/** The flags of `verify`: those of a check, and of its other modes. */
export type VerifyFlags = Flags & {
  readonly preflight?: boolean;
  readonly network?: readonly string[];
  readonly from?: readonly string[];
  readonly exitStatus?: boolean;
  /** Milliseconds. */
  readonly maxAge?: number;
};

/** The flags that each of these modes takes. */
const TAKEN = {
  preflight: [
    ...['network', 'apiHost', 'ownAddress', 'proxy', 'reportOnly', 'title'],
    // It is there to prove the credentials.
    ...Object.keys(CREDENTIAL_FLAGS).filter((name) => name !== 'auth'),
  ],
  exitStatus: ['from', 'maxAge', 'title', 'strict', 'reportOnly'],
  from: ['maxAge', 'format', 'title', 'verbose', 'strict', 'reportOnly'],
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
  const needed = [
    ['network', 'preflight'],
    ['exitStatus', 'from'],
    ['maxAge', 'from'],
  ] as const;
  for (const [name, mode] of needed) {
    if (!typed.includes(name) || typed.includes(mode)) continue;
    throw usageError(`\`${nameOf(name)}\` needs \`${nameOf(mode)}\` beside it`);
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
