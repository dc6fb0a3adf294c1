import { Command } from 'commander';
import { DEFAULT_STATE } from '../../sandbox/state-folder.js';
import { parseArguments } from '../program/parse-arguments.js';
import { sayingWhile } from '../program/waiting.js';

/** `secure-connectivity sandbox connect-plugin`: the administrator's step in the service's console. */
export default async function connectPlugin(args: readonly string[]): Promise<number> {
  const parser = new Command('secure-connectivity sandbox connect-plugin')
    .description(
      "Adds a private connection in the service's console, and prints its endpoint's id.",
    )
    .argument('<service-id>', 'the endpoint service to connect to')
    .option(
      '--state <folder>',
      `state of the running sandbox (default: its own, or ${DEFAULT_STATE})`,
    );
  const ended = parseArguments(parser, args);
  if (ended !== undefined) return ended;
  const { state } = parser.opts<{ state?: string }>();
  const { askConsole, CONSOLE_PATHS, consoleAddress } = await import(
    '../../sandbox/plugin/console-client.js'
  );
  const console = consoleAddress(state, DEFAULT_STATE);
  const [serviceId] = parser.args;
  const { endpointId, status } = await sayingWhile('the private connection', () =>
    askConsole(console, CONSOLE_PATHS.privateConnections, { serviceId }),
  );
  process.stdout.write(`${String(endpointId)}\n`);
  process.stderr.write(`private connection: ${String(status)}\n`);
  if (status === 'PendingAcceptance') {
    process.stderr.write(
      `hint: add "${String(endpointId)}" to \`acceptedEndpointIds\` and deploy again\n`,
    );
  }
  return 0;
}
