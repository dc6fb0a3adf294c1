import { EXIT } from '../codes/exit-status.js';
import { flushed, guardOutput, reportError } from './program/output.js';

/** A command: given its arguments, it does its work and answers the exit status. */
interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<{ readonly default: (args: readonly string[]) => Promise<number> }>;
}

/** The commands, each in a module of its own that is loaded only when it is called, in the groups of the help. */
export const COMMAND_GROUPS = {
  Build: {
    init: {
      summary: 'create a project with stacks, settings, a test and workflows',
      load: () => import('./init/init.js'),
    },
    synth: {
      summary: 'write the Terraform JSON of a project, or of a settings file without one',
      load: () => import('./synth/synth.js'),
    },
    ready: {
      summary: 'check whether a first deploy can start here, and list the manual steps',
      load: () => import('./ready/ready.js'),
    },
    deploy: {
      summary: 'deploy stacks by Terraform, with a reliable exit status',
      load: async () => ({ default: (await import('./deploy/deploy.js')).deploy }),
    },
    destroy: {
      summary: 'destroy stacks by Terraform, with a reliable exit status',
      load: async () => ({ default: (await import('./deploy/deploy.js')).destroy }),
    },
    adopt: {
      summary: 'import into the state what an interrupted deploy left, or what exists already',
      load: () => import('./adopt.js'),
    },
  },
  Prove: {
    verify: {
      summary: 'check each link to the service stage by stage, or report saved results',
      load: () => import('./verify/verify.js'),
    },
    exporter: {
      summary: 'check links whenever Prometheus scrapes them',
      load: () => import('./exporter/exporter.js'),
    },
    token: {
      summary: 'print an access token, for scripts',
      load: () => import('./token/token.js'),
    },
    explain: {
      summary: 'explain an error code or an exit status',
      load: () => import('./explain.js'),
    },
  },
  Review: {
    review: {
      summary: 'report access changes between two synthesized trees',
      load: () => import('./review.js'),
    },
    rehearse: {
      summary: 'deploy a change in a sandbox, and report what clients notice at each step',
      load: () => import('./rehearse.js'),
    },
    reach: {
      summary: 'say who may reach what, and by which rules',
      load: () => import('./reach.js'),
    },
    render: {
      summary: 'write access rules for a firewall that Terraform does not manage',
      load: () => import('./render/render.js'),
    },
    addresses: {
      summary: 'compare the list of fixed addresses with DNS, or with a newer list',
      load: () => import('./addresses/addresses.js'),
    },
  },
  Try: {
    sandbox: {
      summary: 'run a cloud, a DNS server and the service on loopback, and a command against them',
      load: () => import('./sandbox/sandbox.js'),
    },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, CommandEntry>>>>;

export const COMMANDS: Readonly<Record<string, CommandEntry>> = Object.assign(
  {},
  ...Object.values(COMMAND_GROUPS),
);

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
  const [name = '', ...rest] = withoutHelpCommand(args);
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (entry === undefined) return await overview(withoutHelpCommand(args));
    return await (await entry.load()).default(rest);
  } catch (error) {
    return reportError(error);
  }
}

/** `help COMMAND` is `COMMAND --help`. */
function withoutHelpCommand(args: readonly string[]): readonly string[] {
  const [first, named, ...rest] = args;
  if (first !== 'help') return args;
  if (named === undefined) return ['--help'];
  return Object.hasOwn(COMMANDS, named) ? [named, ...rest, '--help'] : [named];
}

async function overview(args: readonly string[]): Promise<number> {
  const [{ Command }, { parseArguments }, { packageVersion }] = await Promise.all([
    import('commander'),
    import('./program/arguments.js'),
    import('../package/package-folder.js'),
  ]);
  const program = new Command('secure-connectivity')
    .description('Builds, proves and shows secure connections to an AI-agent service.')
    .helpCommand(false)
    .version(packageVersion());
  for (const [group, commands] of Object.entries(COMMAND_GROUPS)) {
    for (const [name, { summary }] of Object.entries(commands)) {
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
