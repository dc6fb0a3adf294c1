import type { VerifiableLink } from '../../verify/options.js';
import type { FlagRow } from './flags/row.js';
import { FLAGS, type FlagName, type Flags } from './flags/table.js';

/**
 * The command that checks one link again, by hand and from any folder. It holds no secret.
 *
 * @param flags all of them
 * @param typed those of the command line
 */
export function repeatCommand(link: VerifiableLink, flags: Flags, typed: Flags): string {
  const words = Object.entries<FlagRow>(FLAGS).flatMap(([key, row]) => {
    const name = key as FlagName;
    if (row.needs !== undefined && !typed[row.needs]) return [];
    const repeat = row.repeat as (...values: readonly unknown[]) => ReturnType<FlagRow['repeat']>;
    const [long = ''] = row.flag.split(' ');
    return [repeat(typed[name], link, flags[name])].flat().flatMap((value) => {
      if (value === undefined || value === false) return [];
      return value === true ? [long] : [long, quote(value)];
    });
  });
  return ['npx secure-connectivity verify', ...words].join(' ');
}

function quote(text: string): string {
  return /^[\w./:@%+=,[\]-]+$/.test(text) && !text.includes('[')
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`;
}
