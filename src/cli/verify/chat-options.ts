import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { ChatOptions } from '../../verify/options.js';
import type { Flags } from './flags.js';

/** @returns undefined where no chat is asked for. @throws ConnectivityError `usage.invalid` */
export function chatOptions(flags: Flags): ChatOptions | undefined {
  if (!flags.deep) return undefined;
  const { botId = '', userId = '', question, retrieveChatPath, retrieveChatMethod } = flags;
  for (const [flag, value] of [
    ['--bot-id', botId],
    ['--user-id', userId],
  ] as const) {
    if (value.trim() === '') {
      throw new ConnectivityError('usage.invalid', `\`--deep\` needs \`${flag}\` beside it`);
    }
  }
  if (!flags.auth) {
    throw new ConnectivityError('usage.invalid', '`--deep` cannot be used with `--no-auth`');
  }
  if (retrieveChatPath !== undefined && !/^\/(?!\/)[^\s?#]*$/.test(retrieveChatPath)) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`--retrieve-chat-path\` must begin with one slash and have no query, got: "${retrieveChatPath}"`,
    );
  }
  return {
    botId,
    userId,
    question,
    retrievePath: retrieveChatPath,
    retrieveMethod: retrieveChatMethod,
  };
}
