import { EXIT } from '../codes/exit-status.js';
import type { CommandName } from './program/new-command.js';
import { flushed, guardOutput, reportError } from './program/output.js';

/** A command: given its arguments, it does its work and answers the exit status. */
type LoadCommand = () => Promise<{
  readonly default: (args: readonly string[]) => Promise<number>;
}>;

/** The commands, each in a module of its own that is loaded only when it is called. */
export const COMMANDS: Readonly<Record<CommandName, LoadCommand>> = {
  init: () => import('./init/init.js'),
  synth: () => import('./synth/synth.js'),
  ready: () => import('./ready/ready.js'),
  deploy: async () => ({ default: (await import('./deploy/deploy.js')).deploy }),
  destroy: async () => ({ default: (await import('./deploy/deploy.js')).destroy }),
  adopt: () => import('./adopt.js'),
  verify: () => import('./verify/verify.js'),
  exporter: () => import('./exporter/exporter.js'),
  token: () => import('./token/token.js'),
  explain: () => import('./explain.js'),
  review: () => import('./review.js'),
  rehearse: () => import('./rehearse.js'),
  reach: () => import('./reach.js'),
  render: () => import('./render/render.js'),
  addresses: () => import('./addresses/addresses.js'),
  sandbox: () => import('./sandbox/sandbox.js'),
};

function isCommand(name: string | undefined): name is CommandName {
  return name !== undefined && Object.hasOwn(COMMANDS, name);
}

/**
 * Runs one command and answers its exit status. Only the module of that command is loaded.
 *
 * @param args what follows the program's name
 */
export async function run(args: readonly string[]): Promise<number> {
  guardOutput();
  return await flushed(await runNamedCommand(args), isPagedThrough(args));
}

/**
 * Tells whether the reader of the output may stop early, as `head` does. A report must be read to its end; a
 * deploy reports its outcome by exit status.
 */
function isPagedThrough(args: readonly string[]): boolean {
  return (
    ['explain', 'deploy', 'destroy', undefined].includes(args[0]) ||
    /^(-h|--help)$/m.test(args.join('\n'))
  );
}

async function runNamedCommand(args: readonly string[]): Promise<number> {
  const [name, ...rest] = withoutHelpCommand(args);
  try {
    if (!isCommand(name)) return await overview(withoutHelpCommand(args));
    return await (await COMMANDS[name]()).default(rest);
  } catch (error) {
    return reportError(error);
  }
}

/** `help COMMAND` is `COMMAND --help`. */
function withoutHelpCommand(args: readonly string[]): readonly string[] {
  const [first, named, ...rest] = args;
  if (first !== 'help') return args;
  if (named === undefined) return ['--help'];
  return isCommand(named) ? [named, ...rest, '--help'] : [named];
}

async function overview(args: readonly string[]): Promise<number> {
  const [{ Command }, { parseArguments }, { COMMAND_GROUPS }, { packageVersion }] =
    await Promise.all([
      import('commander'),
      import('./program/arguments.js'),
      import('./program/new-command.js'),
      import('../package/package-folder.js'),
    ]);
  const program = new Command('secure-connectivity')
    .description('Builds, proves and shows secure connections to an AI-agent service.')
    .helpCommand(false)
    .version(packageVersion());
  for (const [group, commands] of Object.entries(COMMAND_GROUPS)) {
    for (const [name, summary] of Object.entries(commands)) {
      program.command(name).description(summary).helpGroup(`${group}:`);
    }
  }
  program.addHelpText('after', '\nHelp for one command: secure-connectivity COMMAND --help');
  if (args.length === 0) {
    program.outputHelp({ error: true });
    return EXIT.usage;
  }
  parseArguments(program, args);
  return 0;
}
