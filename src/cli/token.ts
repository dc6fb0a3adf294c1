import { Command } from 'commander';
import { parseArguments } from './program/parse-arguments.js';
import { sayWhileWaiting } from './program/waiting.js';
import { TOKEN_FLAGS, type TokenFlags } from './token/flags.js';
import { settingNames } from './verify/command-line.js';
import { addFlags } from './verify/flags/table.js';

const HELP = `
Prints the access token and a line feed to standard output, and nothing else; errors go to standard
error. Keep it out of logs:  TOKEN=$(secure-connectivity token --base-url … --api-host …)
Exit status: that of the stage of \`verify\` that would have failed.`;

export default async function main(args: readonly string[]): Promise<number> {
  const command = addFlags(new Command('secure-connectivity token'), Object.values(TOKEN_FLAGS))
    .description('Prints an access token, for scripts.')
    .addHelpText('after', HELP);
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const flags = command.opts<TokenFlags>();
  const names = settingNames(command, TOKEN_FLAGS);
  const { fetchToken } = await import('./token/fetch-token.js');
  const { interruptible } = await import('./program/signals.js');
  const waiting = sayWhileWaiting(() => `token: waiting for ${flags.baseUrl}`);
  const { value } = await interruptible((signal) => fetchToken(flags, names, signal)).finally(
    waiting.end,
  );
  process.stdout.write(`${value.reveal()}\n`);
  return 0;
}
