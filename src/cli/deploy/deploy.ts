import { Command, Option } from 'commander';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { parseArguments } from '../program/arguments.js';
import type { AdoptMode } from './run-log.js';

interface Flags {
  readonly lockTimeout: string;
  readonly stateOf?: string;
  readonly adopt?: AdoptMode;
}

const MORE_HELP = `
STACK is the name of a stack or a pattern, such as '*'. All other options are passed to cdktf:
  secure-connectivity deploy '*' --auto-approve --outputs-file outputs.json

Exit status: 0 deployed; that of the check (10 to 21) if the check failed; 2 or 22 if a stack was refused
before the plan; 128 plus the signal number if Terraform was killed or the command was interrupted;
otherwise that of Terraform or cdktf.`;

/** `cdktf deploy` and `cdktf destroy` with an exit status that can be relied on. */
export const deploy = (args: readonly string[]): Promise<number> => change('deploy', args);
export const destroy = (args: readonly string[]): Promise<number> => change('destroy', args);

async function change(verb: 'deploy' | 'destroy', args: readonly string[]): Promise<number> {
  const parser = commandLine(verb);
  const ended = parseArguments(parser, args);
  if (ended !== undefined) return ended;
  const { lockTimeout, stateOf, adopt = 'off' } = parser.opts<Flags>();
  if (!/^\d+(\.\d+)?(ms|s|m|h)$/.test(lockTimeout)) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`--lock-timeout\` must be a duration such as 10s or 5m, got: "${lockTimeout}"`,
    );
  }
  const { changeStacks } = await import('./change-stacks.js');
  // cdktf would take options after `--` for stacks.
  const handedDown = parser.args.filter((arg) => arg !== '--');
  return changeStacks(verb, handedDown, { lockTimeout, stateOf, adopt });
}

function commandLine(verb: 'deploy' | 'destroy'): Command {
  const command = new Command(`secure-connectivity ${verb}`)
    .description(
      verb === 'deploy'
        ? 'Deploys stacks with cdktf, with a reliable exit status.'
        : 'Destroys stacks with cdktf, with a reliable exit status.',
    )
    .usage('[STACK...] [options] [cdktf options]')
    .argument('[arguments...]')
    .option('--lock-timeout <time>', "how long to wait for another deploy's lock", '1m')
    .option('--state-of <stack>', 'take over the state of this stack, for example after a rename')
    .allowUnknownOption()
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', verb === 'deploy' ? MORE_HELP : '');
  return verb === 'destroy' ? command : command.addOption(adoptOption());
}

function adoptOption(): Option {
  return new Option(
    '--adopt <mode>',
    'objects that an interrupted deploy left in the cloud: stop and list them, import them into the state, or skip the search',
  )
    .choices(['stop', 'auto', 'off'] satisfies AdoptMode[])
    .default('stop')
    .env('SECURE_CONNECTIVITY_ADOPT');
}
