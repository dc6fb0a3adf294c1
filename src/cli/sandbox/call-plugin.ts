import { Command } from 'commander';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { PluginCall } from '../../sandbox/plugin/call-plugin.js';
import { DEFAULT_STATE } from '../../sandbox/state-folder.js';
import { parseArguments } from '../program/parse-arguments.js';
import { sayingWhile } from '../program/waiting.js';

interface Flags {
  readonly state?: string;
  readonly userId: string;
  readonly from?: string;
  readonly to?: string;
  readonly port?: number;
  readonly path: string;
  readonly body?: string;
  readonly backend?: string;
}

const FAILED_CALL = 1;
const FIRST_FAILURE = 400;

/** `secure-connectivity sandbox call-plugin`: one call of a plugin's backend, as the service makes it. */
export default async function callPlugin(args: readonly string[]): Promise<number> {
  const parser = commandLine();
  const ended = parseArguments(parser, args);
  if (ended !== undefined) return ended;
  const flags = parser.opts<Flags>();
  const call = await callOf(parser.args[0], flags);
  const { askConsole, CONSOLE_PATHS, consoleAddress } = await import(
    '../../sandbox/plugin/console-client.js'
  );
  const console = consoleAddress(flags.state, DEFAULT_STATE);
  const answer = await sayingWhile("the answer of the plugin's backend", () =>
    askConsole(console, CONSOLE_PATHS.pluginCalls, call),
  );
  process.stderr.write(
    `call: ${String(answer.arrivedAt)} (rerouted to ${String(answer.rerouted)}): HTTP ${String(answer.status)}\n`,
  );
  process.stdout.write(String(answer.body));
  return Number(answer.status) < FIRST_FAILURE ? 0 : FAILED_CALL;
}

function commandLine(): Command {
  return new Command('secure-connectivity sandbox call-plugin')
    .description("Calls a plugin's backend as the service does, and prints the response.")
    .argument('[service-id]', 'call over the private connection to this endpoint service')
    .requiredOption('--user-id <id>', 'the user_id of the chat; it becomes the user-ID header')
    .option('--from <ip>', 'call over the internet from this address')
    .option('--to <ip>', "with --from: the backend's address (default: a workload's)")
    .option(
      '--port <port>',
      "the listener's port, or the backend's (default: the lowest; 443)",
      Number,
    )
    .option('--path <path>', 'path to call', '/')
    .option('--body <json>', 'send this by POST')
    .option(
      '--backend <ip:port>',
      'loopback process that plays the backend (default: an echo server)',
    )
    .option(
      '--state <folder>',
      `state of the running sandbox (default: its own, or ${DEFAULT_STATE})`,
    );
}

async function callOf(serviceId: string | undefined, flags: Flags): Promise<PluginCall> {
  const { state: _, port, ...rest } = flags;
  if ((serviceId === undefined) === (rest.from === undefined)) {
    throw invalid('`SERVICE_ID` or `--from` must be given, and not both');
  }
  if (port !== undefined && !(Number.isInteger(port) && port >= 1 && port <= 65_535)) {
    throw invalid('`--port` must be 1 to 65535');
  }
  await checkAddresses(rest);
  return {
    ...rest,
    ...(serviceId !== undefined && { serviceId }),
    ...(port !== undefined && { port }),
  };
}

async function checkAddresses({ from, to }: Pick<Flags, 'from' | 'to'>): Promise<void> {
  const { parseAddress } = await import('../../net/address.js');
  for (const [flag, text] of Object.entries({ '--from': from, '--to': to })) {
    try {
      if (text !== undefined) parseAddress(text);
    } catch (error) {
      throw invalid(`\`${flag}\` ${(error as Error).message}, got: "${text}"`);
    }
  }
}

function invalid(message: string): ConnectivityError {
  return new ConnectivityError('usage.invalid', message);
}
