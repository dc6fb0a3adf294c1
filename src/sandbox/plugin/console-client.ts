import { readFileSync } from 'node:fs';
import { isCode } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { isObject, type JsonObject, textOf } from '../json.js';
import { LOOPBACK } from '../listen.js';
import { sandboxFiles } from '../sandbox-files.js';

/** Names the running sandbox's console in the environment of its command. */
export const CONSOLE_VARIABLE = 'SECURE_CONNECTIVITY_SANDBOX_CONSOLE';

/**
 * The running sandbox's console: of the state folder, else of the environment, else of the default
 * state folder.
 *
 * @param stateFolder undefined where none was named
 * @throws ConnectivityError `usage.invalid` where no sandbox runs
 */
export function consoleAddress(stateFolder: string | undefined, defaultFolder: string): string {
  const given = process.env[CONSOLE_VARIABLE];
  if (stateFolder === undefined && given !== undefined) return given;
  const folder = stateFolder ?? defaultFolder;
  try {
    return `${LOOPBACK}:${Number(readFileSync(sandboxFiles(folder).console, 'utf8'))}`;
  } catch {
    throw notRunning(folder);
  }
}

/** Asks the console to do something. @throws ConnectivityError as the console refuses it */
export async function askConsole(address: string, path: string, body: object): Promise<JsonObject> {
  const answer = await fetch(`http://${address}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  }).catch(() => {
    throw notRunning(address);
  });
  const content: unknown = await answer.json();
  if (!isObject(content)) throw new ConnectivityError('internal.bug', 'the console said nothing');
  if (answer.ok) return content;
  const code = textOf(content, 'code');
  throw new ConnectivityError(isCode(code) ? code : 'internal.bug', textOf(content, 'message'));
}

function notRunning(where: string): ConnectivityError {
  return new ConnectivityError(
    'usage.invalid',
    `no sandbox runs at ${where}: start one with \`secure-connectivity sandbox\`, or name its folder with \`--state\``,
  );
}
