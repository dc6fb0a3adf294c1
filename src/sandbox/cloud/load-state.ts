import { existsSync, readFileSync } from 'node:fs';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { isObject } from '../json.js';
import { type CloudState, emptyRecord, emptyState } from './cloud-state.js';

/**
 * Reads the state that an earlier sandbox kept; without a file it is empty.
 *
 * @throws ConnectivityError `usage.invalid` where the file holds no state
 */
export function loadState(file: string | undefined): CloudState {
  if (file === undefined || !existsSync(file)) return emptyState();
  const state = parsed(readFileSync(file, 'utf8'));
  if (isObject(state) && state.version === 1) return withOwnKeys(state as unknown as CloudState);
  throw new ConnectivityError(
    'usage.invalid',
    `${file} does not hold the state of a sandbox of this version; remove it to start anew`,
  );
}

function withOwnKeys({ resources, tasks, ...rest }: CloudState): CloudState {
  const types = Object.entries(resources).map(([name, named]) => [name, emptyRecord(named)]);
  return {
    ...rest,
    resources: emptyRecord(Object.fromEntries(types)),
    tasks: emptyRecord(tasks),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
