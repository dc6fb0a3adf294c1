import { EXIT } from '../codes/code-facts.js';
import { COMMANDS } from './commands.js';
import { flushed, guardOutput, reportError } from './program/output.js';

/**
 * Runs one command and answers its exit status. Only the module of that command is loaded.
 *
 * @param args what follows the program's name
 */
export async function run(args: readonly string[]): Promise<number> {
  guardOutput();
  return await flushed(await statusOf(args), isPagedThrough(args));
}

/** What readers leave when they have read enough, as `head` does; a report is no such text. */
function isPagedThrough(args: readonly string[]): boolean {
  return ['explain', undefined].includes(args[0]) || /^(-h|--help)$/m.test(args.join('\n'));
}

async function statusOf(args: readonly string[]): Promise<number> {
  const entry = COMMANDS.find(({ name }) => name === args[0]);
  try {
    if (entry === undefined) return await overview(args);
    return await (await entry.load()).default(args.slice(1));
  } catch (error) {
    return reportError(error);
  }
}

async function overview(args: readonly string[]): Promise<number> {
  const [{ Command, CommanderError }, { REDACTED_OUTPUT }, { packageVersion }] = await Promise.all([
    import('commander'),
    import('./program/arguments.js'),
    import('../package/package-folder.js'),
  ]);
  const program = new Command('secure-connectivity')
    .description('Builds, proves and shows secure connections to an AI-agent service.')
    .helpCommand(false)
    .version(packageVersion())
    .configureOutput(REDACTED_OUTPUT)
    .exitOverride();
  for (const { name, summary } of COMMANDS) program.command(name).description(summary);
  program.addHelpText('after', '\nHelp for one command: secure-connectivity COMMAND --help');
  if (args.length === 0) {
    program.outputHelp({ error: true });
    return EXIT.usage;
  }
  try {
    program.parse(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
    throw error;
  }
}
