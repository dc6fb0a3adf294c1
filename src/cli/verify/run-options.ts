import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { RunOptions } from '../../verify/model/options.js';
import { proxyVariables } from '../../verify/transport/proxy/proxy.js';
import { KEY_VARIABLE } from './flags/credentials.js';
import { FLAGS, type FlagName, type Flags } from './flags/table.js';

/** How to check, as the flags say it. @param names what errors call the options */
export function runOptions(flags: Flags, names: Readonly<Record<string, string>>): RunOptions {
  checkChat(flags);
  const isRead = (name: FlagName) => !('needs' in FLAGS[name] && FLAGS[name].needs === 'deep');
  const given = Object.keys(FLAGS)
    .map((name) => name as FlagName)
    .filter((name) => flags.deep || isRead(name));
  // People see the check of a deploy, and before they update their clients.
  const options: Record<string, unknown> = { newerClients: flags.linksFromEnvironment };
  const groups: Record<string, Record<string, unknown>> = {
    credentials: { privateKey: process.env[KEY_VARIABLE] },
  };
  for (const name of given) {
    const row = FLAGS[name];
    if (!('option' in row) || flags[name] === undefined) continue;
    const [group = '', field] = row.option.split('.');
    if (field === undefined) options[group] = flags[name];
    else groups[group] = { ...groups[group], [field]: flags[name] };
  }
  return { ...options, ...groups, environment: proxyVariables(), names };
}

/** @throws ConnectivityError `usage.invalid` */
function checkChat(flags: Flags): void {
  if (!flags.deep) return;
  const { botId = '', userId = '', retrieveChatPath: path } = flags;
  for (const [flag, value] of [
    ['--bot-id', botId],
    ['--user-id', userId],
  ] as const) {
    if (value.trim() === '') {
      throw new ConnectivityError('usage.invalid', `\`--deep\` needs \`${flag}\` beside it`);
    }
  }
  if (flags.auth === false) {
    throw new ConnectivityError('usage.invalid', '`--deep` cannot be used with `--no-auth`');
  }
  if (path !== undefined && !/^\/(?!\/)[^\s?#]*$/.test(path)) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`--retrieve-chat-path\` must begin with one slash and have no query, got: "${path}"`,
    );
  }
}
