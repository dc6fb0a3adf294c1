import { Command } from 'commander';
import { usageError } from '../../codes/connectivity-error.js';
import { parseAddress } from '../../net/address.js';
import { withWaitNotice } from '../../progress/waiting.js';
import type { PluginCall } from '../../sandbox/plugin/call-plugin.js';
import { DEFAULT_STATE } from '../../sandbox/state-folder.js';
import { parseArguments, readFlag } from '../program/arguments.js';

const STATE_OPTION = [
  '--state <folder>',
  `state of the running sandbox (default: its own, or ${DEFAULT_STATE})`,
] as const;

/** `secure-connectivity sandbox connect-plugin`: the administrator's step in the service's console. */
export async function connectPlugin(args: readonly string[]): Promise<number> {
  const parser = new Command('secure-connectivity sandbox connect-plugin')
    .description(
      "Adds a private connection in the service's console, and prints its endpoint's id.",
    )
    .argument('<service-id>', 'the endpoint service to connect to')
    .option(...STATE_OPTION);
  const { state } = parseArguments<{ state?: string }>(parser, args);
  const request = { serviceId: parser.args[0] };
  const answer = await ask('privateConnections', 'the private connection', state, request);
  const { endpointId, status } = answer;
  process.stdout.write(`${endpointId}\n`);
  process.stderr.write(`private connection: ${status}\n`);
  if (status === 'PendingAcceptance') {
    process.stderr.write(`hint: add "${endpointId}" to \`acceptedEndpointIds\` and deploy again\n`);
  }
  return 0;
}

type Flags = Omit<PluginCall, 'serviceId'> & { readonly state?: string };

const FAILED_CALL = 1;
const FIRST_FAILURE = 400;

/** `secure-connectivity sandbox call-plugin`: one call of a plugin's backend, as the service makes it. */
export async function callPlugin(args: readonly string[]): Promise<number> {
  const parser = callCommandLine();
  const flags = parseArguments<Flags>(parser, args);
  const call = readCall(parser.args[0], flags);
  const answer = await ask('pluginCalls', "the answer of the plugin's backend", flags.state, call);
  const { arrivedAt, connectedTo, status, body } = answer;
  process.stderr.write(`call: ${arrivedAt} (connected to ${connectedTo}): HTTP ${status}\n`);
  process.stdout.write(String(body));
  return Number(status) < FIRST_FAILURE ? 0 : FAILED_CALL;
}

/** Asks the console of the sandbox that runs. @param what is waited for */
async function ask(
  path: 'privateConnections' | 'pluginCalls',
  what: string,
  state: string | undefined,
  request: object,
) {
  const client = await import('../../sandbox/plugin/console-client.js');
  const console = client.consoleAddress(state, DEFAULT_STATE);
  return await withWaitNotice(what, () =>
    client.askConsole(console, client.CONSOLE_PATHS[path], request),
  );
}

function callCommandLine(): Command {
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
    .option(...STATE_OPTION);
}

function readCall(serviceId: string | undefined, flags: Flags): PluginCall {
  const { state: _, ...call } = flags;
  const { port = 1, from, to } = call;
  if ((serviceId === undefined) === (from === undefined)) {
    throw usageError('`SERVICE_ID` or `--from` must be given, and not both');
  }
  if (!(Number.isInteger(port) && port >= 1 && port <= 65_535)) {
    throw usageError('`--port` must be 1 to 65535');
  }
  for (const [flag, text] of Object.entries({ '--from': from, '--to': to })) {
    if (text !== undefined) readFlag(flag, text, parseAddress);
  }
  return { ...call, ...(serviceId !== undefined && { serviceId }) };
}
