import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { isCode } from '../../codes/codes.js';
import { ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import { judgeOwner, ownerMark } from '../../files/owner.js';
import { writeWhole } from '../../files/whole-file.js';
import { isObject, type JsonObject, readText } from '../json.js';
import { httpPost } from '../listeners/json-over-http.js';
import { LOOPBACK } from '../listeners/listen.js';
import { sandboxFiles } from '../state-folder.js';

/** Names the file of the running sandbox's console in the environment of its command. */
export const CONSOLE_VARIABLE = 'SECURE_CONNECTIVITY_SANDBOX_CONSOLE';

/** The console's pages: what an administrator does, and what a chat makes the service do. */
export const CONSOLE_PATHS = {
  privateConnections: '/private-connections',
  pluginCalls: '/plugin-calls',
} as const;

/** Says where the console is and whose it is, so that nothing else is called after its end. */
export function writeConsole(file: string, port: number): () => void {
  writeWhole(file, `${port} ${ownerMark()}\n`, { isDurable: false });
  return () => rmSync(file, { force: true });
}

/**
 * The running sandbox's console: of the state folder, else of the environment, else of the default
 * state folder.
 *
 * @param stateFolder undefined where none was named
 * @throws ConnectivityError `usage.invalid` where no sandbox runs
 */
export function consoleAddress(stateFolder: string | undefined, defaultFolder: string): string {
  const given = stateFolder === undefined ? process.env[CONSOLE_VARIABLE] : undefined;
  const file = given || sandboxFiles(stateFolder ?? defaultFolder).console;
  const [port = '', mark = ''] = readAnswer(file).trim().split(' ');
  if (port === '' || judgeOwner(mark) !== 'alive') throw notRunning(dirname(file));
  return `${LOOPBACK}:${port}`;
}

/** Asks the console to do something. @throws ConnectivityError as the console refuses it */
export async function askConsole(address: string, path: string, body: object): Promise<JsonObject> {
  const url = new URL(path, `http://${address}`);
  const answer = await httpPost(url, {}, JSON.stringify(body)).catch(() => {
    throw notRunning(address);
  });
  const content: unknown = JSON.parse(answer.body);
  if (!isObject(content)) throw new ConnectivityError('internal.bug', 'the console said nothing');
  if (answer.status === 200) return content;
  const code = readText(content, 'code');
  throw new ConnectivityError(isCode(code) ? code : 'internal.bug', readText(content, 'message'));
}

function readAnswer(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function notRunning(where: string): ConnectivityError {
  return usageError(
    `no sandbox runs at ${where}: start one with \`secure-connectivity sandbox\`, or name its folder with \`--state\``,
  );
}
