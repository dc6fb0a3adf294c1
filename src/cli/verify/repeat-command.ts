import { shellWord } from '../../files/shell-word.js';
import { FIXED_CIDRS } from '../../net/fixed-addresses.js';
import type { VerifiableLink } from '../../verify/model/options.js';
import type { FlagRow } from './flags/row.js';
import { FLAGS, type FlagName, type Flags } from './flags/table.js';

/**
 * The command that checks one link again, by hand and from any folder. It holds no secret.
 *
 * @param flags all of them
 * @param typed those of the command line
 */
export function repeatCommand(link: VerifiableLink, flags: Flags, typed: Flags): string {
  const repeated = isShippedList(link.expectedAddresses)
    ? { ...link, expectedAddresses: [] }
    : link;
  const words = Object.entries<FlagRow>(FLAGS).flatMap(([key, row]) => {
    const name = key as FlagName;
    if (row.needs !== undefined && !typed[row.needs]) return [];
    const repeat = row.repeat as (...values: readonly unknown[]) => ReturnType<FlagRow['repeat']>;
    const [long = ''] = row.flag.split(' ');
    return [repeat(typed[name], repeated, flags[name])].flat().flatMap((value) => {
      if (value === undefined || value === false) return [];
      return value === true ? [long] : [long, shellWord(value)];
    });
  });
  return ['npx secure-connectivity verify', ...words].join(' ');
}

/** It need not be typed: it is what is expected where no flag says anything else. */
function isShippedList(addresses: readonly string[]): boolean {
  return addresses.join() === FIXED_CIDRS.join();
}
