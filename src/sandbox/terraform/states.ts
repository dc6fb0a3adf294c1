import { createHash } from 'node:crypto';
import { join, resolve, sep } from 'node:path';
import type { Block } from '../../reach/read/merge-files.js';
import { statePlace, stateSettings } from '../../terraform/state-place.js';
import { isObject, type JsonObject, readText } from '../json.js';

/**
 * The file in which a stack keeps its state in a sandbox: that of its own local backend where this is
 * in the sandbox already, else one that is named for the backend, so that a stack which reads the
 * state of another one finds it. A stack that names no whole backend has one for its folder.
 */
export function stateOf(
  blocks: readonly Block[],
  stackFolder: string,
  terraformFolder: string,
): string {
  const { backend, cloud } = blocks.find(({ kind }) => kind === 'terraform')?.body ?? {};
  const [type, config] = Object.entries(isObject(backend) ? backend : {})[0] ?? ['local', {}];
  return cloud === undefined
    ? stateFile(type, config, stackFolder, terraformFolder)
    : stateFile('cloud', cloud, stackFolder, terraformFolder);
}

export function stateReadBy(source: JsonObject, stackFolder: string, terraformFolder: string) {
  return stateFile(readText(source, 'backend'), source.config, stackFolder, terraformFolder);
}

function stateFile(type: string, config: unknown, folder: string, terraformFolder: string): string {
  const settings = stateSettings(type, config);
  const file = type === 'local' ? resolve(folder, String(settings.path)) : '';
  if (file.startsWith(`${terraformFolder}${sep}`)) return file;
  // An empty block is filled in by the command line, differently for each folder.
  const isEmpty = Object.keys(settings).length === 0;
  const place = isEmpty ? `${type} ${folder}` : statePlace(type, config, folder);
  return join(terraformFolder, 'states', `${digest(place)}.tfstate`);
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
