import type { RunOptions } from './options.js';

/** What the caller calls a setting; by itself it is called as the field. */
export function settingName({ names = {} }: Pick<RunOptions, 'names'>, field: string): string {
  return names[field] ?? field;
}
