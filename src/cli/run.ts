import { EXIT } from '../codes/exit-status.js';
import { flushed, guardOutput, reportError } from './program/output.js';

/** A command: given its arguments, it does its work and answers the exit status. */
interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<{ readonly default: (args: readonly string[]) => Promise<number> }>;
}

/** The commands, each in a module of its own that is loaded only when it is called. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: 'create a project with stacks, settings, a test and workflows',
    load: () => import('./init/init.js'),
  },
  synth: {
    summary: 'write Terraform JSON from a settings file, without a project',
    load: () => import('./synth/synth.js'),
  },
  ready: {
    summary: 'check whether a first deploy can start here, and list the manual steps',
    load: () => import('./ready/ready.js'),
  },
  deploy: {
    summary: 'deploy stacks with cdktf, with a reliable exit status',
    load: async () => ({ default: (await import('./deploy/deploy.js')).deploy }),
  },
  destroy: {
    summary: 'destroy stacks with cdktf, with a reliable exit status',
    load: async () => ({ default: (await import('./deploy/deploy.js')).destroy }),
  },
  verify: {
    summary: 'check each link to the service stage by stage, and name the stage that fails',
    load: () => import('./verify/verify.js'),
  },
  preflight: {
    summary: 'prove that a check can run on this machine, before anything is deployed',
    load: () => import('./preflight.js'),
  },
  exporter: {
    summary: 'check links whenever Prometheus scrapes them',
    load: () => import('./exporter/exporter.js'),
  },
  sandbox: {
    summary: 'run a cloud, a DNS server and the service on loopback, and a command against them',
    load: () => import('./sandbox/sandbox.js'),
  },
  report: {
    summary: 'convert saved results of verify to HTML, JUnit, metrics and other formats',
    load: () => import('./report.js'),
  },
  token: {
    summary: 'print an access token, for scripts',
    load: () => import('./token/token.js'),
  },
  explain: {
    summary: 'explain an error code',
    load: () => import('./explain.js'),
  },
  review: {
    summary: 'report access changes between two synthesized trees',
    load: () => import('./review.js'),
  },
  rehearse: {
    summary: 'deploy a change in a sandbox, and report what clients notice at each step',
    load: () => import('./rehearse.js'),
  },
  diagram: {
    summary: 'draw who may talk to whom, as a Mermaid flowchart',
    load: () => import('./diagram.js'),
  },
  render: {
    summary: 'write access rules for a firewall that Terraform does not manage',
    load: () => import('./render/render.js'),
  },
  addresses: {
    summary: 'compare the list of fixed addresses with DNS, or with a newer list',
    load: () => import('./addresses/addresses.js'),
  },
  adopt: {
    summary: 'import what an interrupted deploy left in the cloud into the state',
    load: () => import('./adopt/adopt.js'),
  },
  'import-blocks': {
    summary: 'print Terraform import blocks, to adopt existing resources',
    load: () => import('./import-blocks.js'),
  },
};

/**
 * Runs one command and answers its exit status. Only the module of that command is loaded.
 *
 * @param args what follows the program's name
 */
export async function run(args: readonly string[]): Promise<number> {
  guardOutput();
  return await flushed(await runNamedCommand(args), isPagedThrough(args));
}

/** What readers leave when they have read enough, as `head` does; a report is no such text. */
function isPagedThrough(args: readonly string[]): boolean {
  return ['explain', undefined].includes(args[0]) || /^(-h|--help)$/m.test(args.join('\n'));
}

async function runNamedCommand(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args;
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (entry === undefined) return await overview(args);
    return await (await entry.load()).default(rest);
  } catch (error) {
    return reportError(error);
  }
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
  for (const [name, { summary }] of Object.entries(COMMANDS)) {
    program.command(name).description(summary);
  }
  program.addHelpText('after', '\nHelp for one command: secure-connectivity COMMAND --help');
  if (args.length === 0) {
    program.outputHelp({ error: true });
    return EXIT.usage;
  }
  parseArguments(program, args);
  return 0;
}
