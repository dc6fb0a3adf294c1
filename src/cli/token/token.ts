import { sayWhileWaiting } from '../../progress/waiting.js';
import { parseArguments } from '../program/arguments.js';
import { newCommand } from '../program/new-command.js';
import { interruptible } from '../program/signals.js';
import { settingNames } from '../verify/command-line.js';
import { CREDENTIAL_FLAGS } from '../verify/flags/credentials.js';
import { type FlagRow, readWholeNumber } from '../verify/flags/row.js';
import { addFlags, FLAGS } from '../verify/flags/table.js';
import type { TokenFlags } from './fetch-token.js';

const HELP = `
Prints the access token and a line feed to standard output, and nothing else; errors go to standard
error. Keep it out of logs:  TOKEN=$(secure-connectivity token --base-url … --api-host …)
Exit status: that of the stage of \`verify\` that would have failed.`;

const { auth, ...credentials } = CREDENTIAL_FLAGS;

/** The flags of `token`: those of `verify` that say who asks and how the service is reached, and those of a token that is used. */
const TOKEN_FLAGS: readonly FlagRow[] = [
  {
    ...FLAGS.baseUrl,
    about: 'scheme, host and port to call',
    variable: 'BASE_URL',
  },
  { ...FLAGS.apiHost, variable: 'API_HOST' },
  {
    ...FLAGS.tlsServerName,
    about: 'the TLS server name to send and verify (default: the host of the base URL)',
  },
  {
    ...FLAGS.allowPlainHttp,
    about: 'allow a base URL with http, to private addresses only',
  },
  ...Object.values(credentials),
  {
    flag: '--duration-seconds <n>',
    about: 'requested lifetime of the token, 1 to 86399',
    variable: 'DURATION_SECONDS',
    read: readWholeNumber,
  },
  {
    flag: '--session-name <name>',
    about: 'session of the token, preferably the ID of the user: it keeps the chats of users apart',
    variable: 'SESSION_NAME',
  },
  {
    flag: '--device-id <id>',
    about: 'device to which usage of the token is attributed; enterprise flagship only',
    variable: 'DEVICE_ID',
  },
  {
    flag: '--custom-consumer <id>',
    about:
      'an entity of your own to which usage is attributed, not a phone number; enterprise flagship only',
    variable: 'CUSTOM_CONSUMER',
  },
  FLAGS.dnsServer,
  FLAGS.connectTo,
  FLAGS.caFile,
  { ...FLAGS.timeout, about: 'time for the whole command (default: 30s)' },
];

export default async function main(args: readonly string[]): Promise<number> {
  const command = addFlags(newCommand('token'), TOKEN_FLAGS).addHelpText('after', HELP);
  const flags = parseArguments<TokenFlags>(command, args);
  const names = settingNames(command);
  const { fetchToken } = await import('./fetch-token.js');
  const waiting = sayWhileWaiting(() => `token: waiting for ${flags.baseUrl}`);
  const fetching = interruptible((signal) => fetchToken(flags, names, signal));
  const { value } = await fetching.finally(waiting.end);
  process.stdout.write(`${value.reveal()}\n`);
  return 0;
}
