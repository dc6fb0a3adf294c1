import { isIP } from 'node:net';
import { InvalidArgumentError } from 'commander';
import { parseArguments } from '../program/arguments.js';
import { newCommand } from '../program/new-command.js';
import { settingNames } from '../verify/command-line.js';
import { CREDENTIAL_FLAGS } from '../verify/flags/credentials.js';
import { LINK_FLAGS } from '../verify/flags/links.js';
import { NETWORK_FLAGS } from '../verify/flags/network.js';
import { type FlagRow, readDuration } from '../verify/flags/row.js';
import { addFlags, FLAGS } from '../verify/flags/table.js';
import type { ExporterFlags } from './run-exporter.js';
import type { ListenAddress } from './serve.js';

const MAX_PORT = 65_535;

/** Reads `IPv4:PORT` or `[IPv6]:PORT`; a name may have several addresses, or another one later. */
function readListenAddress(text: string): ListenAddress {
  const [, inBrackets, plain, portText = ''] =
    /^(?:\[([^\]]+)\]|([^:[\]]+)):(0|[1-9]\d{0,4})$/.exec(text) ?? [];
  const host = inBrackets ?? plain ?? '';
  const port = Number(portText);
  const family = inBrackets === undefined ? 4 : 6;
  if (isIP(host) !== family || port > MAX_PORT) {
    throw new InvalidArgumentError('It must be an IP address and a port, such as 127.0.0.1:9464.');
  }
  return { host, port };
}

const { shard: _, ...links } = LINK_FLAGS;

/** A check for metrics looks for no cause. */
const { compareResolver, probes, ...network } = NETWORK_FLAGS;

/** The flags of `exporter` that are also those of `verify`, and its own. */
const EXPORTER_FLAGS: readonly FlagRow[] = [
  {
    flag: '--listen <address:port>',
    about: 'where Prometheus scrapes (default: 127.0.0.1:9464); port 0 takes a free one',
    variable: 'LISTEN',
    read: readListenAddress,
  },
  ...Object.values({
    ...links,
    targets: { ...FLAGS.targets, about: 'check the links in a file with one JSON object per line' },
    concurrency: { ...FLAGS.concurrency, about: 'links checked at the same time (default: 16)' },
    baseUrl: {
      ...FLAGS.baseUrl,
      about: 'check a single link, named `link`: scheme, host and port',
    },
  }),
  ...Object.values({
    ...CREDENTIAL_FLAGS,
    privateKeyFile: {
      ...FLAGS.privateKeyFile,
      about:
        'PEM file of the private key, read again for each check; or its text in SECURE_CONNECTIVITY_PRIVATE_KEY',
    },
  }),
  ...Object.values(network),
  {
    ...FLAGS.timeout,
    about: 'time limit for one check (default: 60s), shortened by the scrape timeout of Prometheus',
  },
  {
    flag: '--timeout-offset <duration>',
    about: 'how much earlier than the scrape timeout a check ends (default: 500ms)',
    variable: 'TIMEOUT_OFFSET',
    read: readDuration,
  },
];

const HELP = `
  /probe?link=NAME  checks the link and returns the metrics of its report
  /targets          the names of all links, for Prometheus to discover
  /metrics          metrics of the exporter itself
  /-/healthy        200

A check ends before the scrape timeout that Prometheus sends. Concurrent probes of one link share a
check, and a token is reused until it expires. On SIGTERM the exporter finishes the checks in
progress within 20 seconds and begins no other; a second SIGTERM stops it at once.

Exit status: 0 ended by a signal, 2 usage, links, key or listen address.`;

export default async function main(args: readonly string[]): Promise<number> {
  const command = addFlags(newCommand('exporter'), EXPORTER_FLAGS).addHelpText('after', HELP);
  const flags = parseArguments<ExporterFlags>(command, args);
  const { runExporter } = await import('./run-exporter.js');
  return await runExporter(flags, settingNames(command));
}
