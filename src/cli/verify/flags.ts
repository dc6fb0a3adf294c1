import { type Command, InvalidArgumentError, Option } from 'commander';
import { VIAS, type Via } from '../../link/via.js';
import { hostCidr, parseCidr } from '../../net/cidr.js';
import { parseShard, type Shard } from '../../verify/many/shard.js';
import { parseDuration } from '../duration.js';
import { FORMAT_NAMES, type Format, parseFormat } from './formats.js';

/** What the command line and its variables say; see {@link addFlags}. */
export interface Flags {
  readonly outputsFile?: readonly string[];
  readonly stack?: readonly string[];
  readonly linksFromEnvironment?: boolean;
  readonly targets?: string;
  readonly concurrency?: number;
  readonly shard?: Shard;
  readonly baseUrl?: string;
  readonly via?: Via;
  readonly apiHost?: string;
  readonly expectAddress?: readonly string[];
  readonly expectNetwork?: readonly string[];
  readonly zone?: readonly { readonly name: string; readonly network: string }[];
  readonly privateZone?: boolean;
  readonly tlsServerName?: string;
  readonly allowPlainHttp?: boolean;
  readonly enterpriseId?: string;
  readonly appId?: string;
  readonly keyId?: string;
  readonly privateKeyFile?: string;
  readonly durationSeconds?: number;
  readonly sessionName?: string;
  readonly auth: boolean;
  readonly useServerTime?: boolean;
  readonly dnsServer?: string;
  readonly connectTo?: readonly string[];
  readonly resolve?: readonly string[];
  readonly family?: 4 | 6;
  readonly proxy?: string;
  readonly compareResolver?: readonly string[];
  readonly ownAddress?: readonly string[];
  readonly probes: boolean;
  readonly settle?: number;
  readonly deep?: boolean;
  readonly botId?: string;
  readonly userId?: string;
  readonly question?: string;
  readonly retrieveChatPath?: string;
  readonly retrieveChatMethod?: 'GET' | 'POST';
  readonly baseline?: string;
  readonly caFile?: string;
  readonly timeout?: number;
  readonly wait?: number;
  readonly strict?: boolean;
  readonly reportOnly?: boolean;
  readonly format?: readonly Format[];
}

const PREFIX = 'SECURE_CONNECTIVITY_';

interface FlagFacts {
  readonly read?: (value: string, previous: never) => unknown;
  /** The variable that stands in for the flag, without the common prefix. */
  readonly env?: string;
  readonly choices?: readonly string[];
}

const FLAGS: readonly (readonly [flags: string, text: string, facts?: FlagFacts])[] = [
  [
    '--outputs-file <file>',
    'check the links in a file of `cdktf deploy --outputs-file`; repeatable',
    { read: list(text) },
  ],
  ['--stack <name>', 'check the links of a deployed stack; repeatable', { read: list(text) }],
  ['--links-from-environment', `check the links in ${PREFIX}LINKS`],
  [
    '--targets <file>',
    'check the links in a file with one JSON object a line, - for standard input; writes JSON lines',
  ],
  [
    '--concurrency <n>',
    'links checked at the same time (default: 8; with --targets 16)',
    { read: aboveZero, env: 'CONCURRENCY' },
  ],
  [
    '--shard <i/n>',
    'only the part i, from 1, of n parts of the links',
    { read: shard, env: 'SHARD' },
  ],
  ['--base-url <url>', 'check one link by hand: scheme, host and port to call'],
  ['--via <kind>', 'how that link reaches the service', { choices: VIAS }],
  ['--api-host <host>', 'the public API host of the service: the audience of the JWT'],
  [
    '--expect-address <cidr>',
    'addresses that the host may resolve to; repeatable',
    { read: list(network) },
  ],
  [
    '--expect-network <cidr>',
    'networks that the addresses must lie in; repeatable',
    { read: list(network) },
  ],
  [
    '--zone <name=cidr>',
    'which zone a network of that link belongs to, to name it in reports; repeatable',
    { read: list(zone) },
  ],
  ['--private-zone', 'the API host itself resolves inside the private network, and is called'],
  [
    '--tls-server-name <name>',
    'the name to send and verify (default: the link’s own, or the host of the base URL)',
    { env: 'TLS_SERVER_NAME' },
  ],
  ['--allow-plain-http', 'allow a base URL with http, inside the expected private networks'],
  ['--enterprise-id <id>', 'ID of the enterprise', { env: 'ENTERPRISE_ID' }],
  ['--app-id <id>', 'ID of the OAuth application (iss)', { env: 'APP_ID' }],
  ['--key-id <fingerprint>', 'fingerprint of the public key (kid)', { env: 'KEY_ID' }],
  [
    '--private-key-file <file>',
    `PEM file of the private key, - for standard input; or its text in ${PREFIX}PRIVATE_KEY`,
    { env: 'PRIVATE_KEY_FILE' },
  ],
  [
    '--duration-seconds <n>',
    'lifetime to ask for the token, 1 to 86399',
    { read: wholeNumber, env: 'DURATION_SECONDS' },
  ],
  ['--session-name <name>', 'session of the token', { env: 'SESSION_NAME' }],
  ['--no-auth', 'check the network only: no credential is used'],
  [
    '--use-server-time',
    'sign JWTs by the service’s clock, as one call without credential tells it first',
  ],
  ['--dns-server <ip[:port]>', 'ask this DNS server, not the system’s', { env: 'DNS_SERVER' }],
  [
    '--connect-to <rule>',
    'dial elsewhere: FROM:PORT:ADDRESS:PORT, or @FILE with one rule a line; repeatable',
    { read: list(text), env: 'CONNECT_TO' },
  ],
  [
    '--resolve <rule>',
    'addresses of a host, without DNS: HOST:PORT:ADDRESS, more with commas; repeatable',
    { read: list(text), env: 'RESOLVE' },
  ],
  [
    '--family <4|6>',
    'resolve and dial addresses of this family only',
    { read: family, env: 'FAMILY' },
  ],
  [
    '--proxy <url>',
    'go through this HTTP proxy (HTTPS_PROXY is shown, but not obeyed)',
    { env: 'PROXY' },
  ],
  [
    '--ca-file <file>',
    'PEM file of authorities to trust besides the default ones',
    { env: 'CA_FILE' },
  ],
  [
    '--timeout <duration>',
    'time for one pass, shared by its stages (default: 60s)',
    { read: duration, env: 'TIMEOUT' },
  ],
  [
    '--wait <duration>',
    'try again, that long, what may heal by itself (default: 0s)',
    { read: duration, env: 'WAIT' },
  ],
  [
    '--settle <n>',
    'wait until so many full passes in a row (default: 1)',
    { read: wholeNumber, env: 'SETTLE' },
  ],
  [
    '--compare-resolver <ip[:port]>',
    'when a link fails, ask this DNS server too, or `system`; repeatable',
    { read: list(text), env: 'COMPARE_RESOLVER' },
  ],
  [
    '--own-address <ip>',
    'an address by which this machine is known in the private network, where it is not one of its own; repeatable',
    { read: list(text), env: 'OWN_ADDRESS' },
  ],
  ['--no-probes', 'when a link fails, do not try anything else to find out why'],
  [
    '--baseline <file>',
    'tell what has changed since this report, JSON or JSON lines',
    { env: 'BASELINE' },
  ],
  ['--deep', 'hold a chat with an agent too; needs --bot-id and --user-id'],
  ['--bot-id <id>', 'ID of the agent to chat with', { env: 'BOT_ID' }],
  ['--user-id <id>', 'your own ID of the user who chats', { env: 'USER_ID' }],
  ['--question <text>', 'what to ask the agent (default: ping)', { env: 'QUESTION' }],
  [
    '--retrieve-chat-path <path>',
    'path of retrieve-chat (default: /v3/chat/retrieve)',
    { env: 'RETRIEVE_CHAT_PATH' },
  ],
  [
    '--retrieve-chat-method <method>',
    'method of retrieve-chat (default: GET)',
    { choices: ['GET', 'POST'], env: 'RETRIEVE_CHAT_METHOD' },
  ],
  ['--strict', 'exit 21 when there is a warning'],
  ['--report-only', 'exit 0 whatever the verdict'],
  [
    '--format <format>',
    `${FORMAT_NAMES.join(', ')}: to standard output, or to a file with =FILE; repeatable (default: text)`,
    { read: list(format) },
  ],
];

export function addFlags(command: Command): Command {
  for (const [flags, about, { read, env, choices } = {}] of FLAGS) {
    const option = new Option(flags, about);
    if (choices) option.choices(choices);
    if (read) option.argParser(read as (value: string, previous: unknown) => unknown);
    // CI systems set variables to nothing for what is not configured.
    if (env && process.env[`${PREFIX}${env}`] !== '') option.env(`${PREFIX}${env}`);
    command.addOption(option);
  }
  return command;
}

/** A repeatable option: each value is read by itself. */
function list<T>(read: (value: string) => T) {
  return (value: string, previous: readonly T[] | undefined): readonly T[] => [
    ...(previous ?? []),
    read(value),
  ];
}

function text(value: string): string {
  if (value === '') throw new InvalidArgumentError('It must not be empty.');
  return value;
}

function network(value: string): string {
  return explained(() => (value.includes('/') ? parseCidr(value) : hostCidr(value)).text);
}

function duration(value: string): number {
  return explained(() => parseDuration(value));
}

function format(value: string): Format {
  return explained(() => parseFormat(value));
}

function zone(value: string): { name: string; network: string } {
  const [, name = '', cidr = ''] = /^([^=]+)=(.+)$/.exec(value) ?? [];
  if (name === '') throw new InvalidArgumentError('It must be NAME=CIDR.');
  return { name, network: network(cidr) };
}

function family(value: string): number {
  if (value !== '4' && value !== '6') throw new InvalidArgumentError('It must be 4 or 6.');
  return Number(value);
}

function wholeNumber(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
}

function aboveZero(value: string): number {
  if (!/^[1-9]\d{0,3}$/.test(value)) {
    throw new InvalidArgumentError('It must be a whole number from 1 to 9999.');
  }
  return Number(value);
}

function shard(value: string): Shard {
  try {
    return parseShard(value);
  } catch {
    throw new InvalidArgumentError('It must be I/N with I from 1 to N.');
  }
}

function explained<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new InvalidArgumentError(`It ${error instanceof Error ? error.message : error}.`);
  }
}
