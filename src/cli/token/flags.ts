import { Command, Option } from 'commander';
import { addFlags, type Flags } from '../verify/flags.js';

/** The flags of `verify` that say who asks and how the service is reached. */
const SHARED = [
  'tlsServerName',
  'allowPlainHttp',
  'enterpriseId',
  'appId',
  'keyId',
  'privateKeyFile',
  'durationSeconds',
  'sessionName',
  'dnsServer',
  'connectTo',
  'caFile',
] as const;

export type TokenFlags = Pick<Flags, (typeof SHARED)[number] | 'baseUrl' | 'apiHost' | 'timeout'>;

const OWN = [
  ['--base-url <url>', 'scheme, host and port to call', 'BASE_URL'],
  ['--api-host <host>', 'the public API host of the service: the audience of the JWT', 'API_HOST'],
] as const;

/** Texts of `verify` that speak of its links. */
const OTHER_TEXTS: Readonly<Record<string, string>> = {
  timeout: 'time for the whole command (default: 30s)',
  tlsServerName: 'the name to send and verify (default: the host of the base URL)',
  allowPlainHttp: 'allow a base URL with http, to private addresses only',
};

export function addTokenFlags(command: Command): Command {
  for (const [flags, about, variable] of OWN) {
    const option = new Option(flags, about);
    const name = `SECURE_CONNECTIVITY_${variable}`;
    if (process.env[name] !== '') option.env(name);
    command.addOption(option);
  }
  for (const option of addFlags(new Command()).options) {
    const name = option.attributeName();
    option.description = OTHER_TEXTS[name] ?? option.description;
    if (name === 'timeout' || SHARED.some((shared) => shared === name)) command.addOption(option);
  }
  return command;
}
