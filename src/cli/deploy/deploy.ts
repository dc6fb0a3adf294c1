import { type Command, Option } from 'commander';
import { usageError } from '../../codes/connectivity-error.js';
import { safeText } from '../../codes/redact.js';
import type { AdoptMode } from '../../terraform/terraform-folder.js';
import { collectTexts, lockTimeoutOption, parseArguments } from '../program/arguments.js';
import { newCommand } from '../program/new-command.js';
import type { Flags, Verb } from './change-run.js';
import { notReviewed } from './tree/reviewed-tree.js';

/** Deploys or destroys stacks by Terraform, with an exit status that can be relied on. */
export const deploy = (args: readonly string[]): Promise<number> => change('deploy', args);
export const destroy = (args: readonly string[]): Promise<number> => change('destroy', args);

async function change(verb: Verb, args: readonly string[]): Promise<number> {
  const { flags, patterns } = readFlags(verb, args);
  const { changeTree } = await import('./change-tree.js');
  return await changeTree(verb, flags, patterns);
}

const STACKS = `
STACK is the name of a stack or a pattern, such as '*'; with one stack in the tree, it can be left out:`;

const ENDS = `
128 plus the signal number if Terraform was killed or the command was interrupted; otherwise that of the
app or Terraform (1 also if the plan was not approved).`;

const MORE_HELP = {
  deploy: `${STACKS}
  secure-connectivity deploy '*' --auto-approve --outputs-file outputs.json

Exit status: 0 deployed; that of the check (10 to 21, or 23) if the check failed; 2, 4 or 22 if a stack was
refused before anything was changed, and 2 also if the preflight failed or the check could not run;${ENDS}`,
  destroy: `${STACKS}
  secure-connectivity destroy '*' --auto-approve

Exit status: 0 destroyed; 2 if a stack was refused before anything was changed;${ENDS}`,
};

/** Reads the arguments of `deploy` or `destroy`. @throws ConnectivityError `usage.invalid` */
export function readFlags(verb: Verb, args: readonly string[]) {
  const command = commandLine(verb);
  const flags = parseArguments<Flags>(
    command,
    args.filter((arg) => arg !== '--'),
  );
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli';
  const beside = ['app', 'output', 'skipSynth'].find(isGiven);
  if (flags.tree !== undefined && beside !== undefined) {
    const name = command.options.find((option) => option.attributeName() === beside)?.long;
    throw usageError(`\`--tree\` must be given without ${name}, got: both; leave one out`);
  }
  refuseBesideReview(flags, process.env);
  return { flags, patterns: command.args };
}

function commandLine(verb: Verb): Command {
  const command = newCommand(verb)
    .usage('[STACK...] [options]')
    .argument('[stacks...]', 'names or patterns')
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ minWidthToWrap: 30 })
    .addHelpText('after', MORE_HELP[verb]);
  for (const option of verb === 'deploy' ? [...common(), ...deployOnly()] : common()) {
    command.addOption(withVariable(option));
  }
  return command;
}

/** Options that both have. As with cdktf, each has a variable: `CDKTF_OUTPUT` for `--output`. */
const common = (): Option[] => [
  new Option('-a, --app <command>', 'the app to synthesize (default: that of cdktf.json)'),
  new Option('-o, --output <folder>', 'the tree that is synthesized (default: cdktf.out)'),
  new Option('--skip-synth', 'use the tree in the output folder'),
  new Option('--tree <folder>', 'use this synthesized tree, as it is').env(''),
  new Option(
    '--reviewed <digest>',
    'the tree digest that a review printed: run on a copy of the files of --tree, and refuse any other digest',
  ).env(''),
  new Option('--auto-approve', 'apply without asking'),
  new Option('--ignore-missing-stack-dependencies', 'allow stacks without their dependencies'),
  new Option('--parallelism <number>', 'stacks to change at once; -1 for no limit')
    .argParser(readCount('--parallelism'))
    .default(-1, '-1, or 1 if each plan must be approved'),
  new Option('--terraform-parallelism <number>', 'operations of Terraform at once').argParser(
    readCount('--terraform-parallelism'),
  ),
  new Option('--migrate-state', 'move the state to a backend that has changed'),
  new Option('--var <name=value>', 'a variable of the stack; repeatable').argParser(collectTexts),
  new Option('--var-file <file>', 'values of variables; repeatable').argParser(collectTexts),
  new Option('--no-color', 'no colours'),
  new Option('--disable-plugin-cache-env', 'leave TF_PLUGIN_CACHE_DIR as it is'),
  lockTimeoutOption().env(''),
  new Option(
    '--state-of <stack>',
    'the former name of a renamed stack, whose state it takes over',
  ).env(''),
];

const deployOnly = (): Option[] => [
  new Option('--refresh-only', 'only update the state with changes that were made elsewhere'),
  new Option('--outputs-file <file>', 'where to write the outputs, as JSON'),
  new Option('--outputs-file-include-sensitive-outputs', 'write sensitive outputs too'),
  new Option(
    '--adopt <mode>',
    'objects that an interrupted deploy left in the cloud: stop and list them, import them into the state, or skip the search',
  )
    .choices(['stop', 'auto', 'off'] satisfies AdoptMode[])
    .default('stop')
    .env('SECURE_CONNECTIVITY_ADOPT'),
];

function withVariable(option: Option): Option {
  if (option.envVar === '') return Object.assign(option, { envVar: undefined });
  if (option.envVar !== undefined) return option;
  const name = `CDKTF_${option.name().replaceAll('-', '_').toUpperCase()}`;
  const text = process.env[name] ?? '';
  const isFlag = !option.required && !option.optional;
  return text === '' || (isFlag && /^(false|0)$/i.test(text)) ? option : option.env(name);
}

function readCount(flag: string) {
  return (text: string): number => {
    const count = Number(text);
    if (Number.isInteger(count) && (count > 0 || count === -1)) return count;
    throw usageError(
      `\`${flag}\` must be a whole number from 1, or -1 for no limit, got: "${text}"`,
    );
  };
}

/** A variable of the runner: only what was reviewed may be deployed or destroyed here. */
const REQUIRED = 'SECURE_CONNECTIVITY_REQUIRE_REVIEWED';

/**
 * Refuses a run without `--reviewed` where the runner requires it, and one with it beside what would make
 * another plan of the same bytes.
 *
 * @throws ConnectivityError `deploy.not-reviewed`, `usage.invalid`
 */
function refuseBesideReview(flags: Flags, env: NodeJS.ProcessEnv): void {
  const { reviewed } = flags;
  if (reviewed === undefined) {
    if (/^(|0|false)$/i.test(env[REQUIRED] ?? '')) return;
    throw notReviewed(
      `\`--reviewed\` must be given, because ${REQUIRED} is set here, got: none; pass the digest of a reviewed tree`,
    );
  }
  if (!/^[0-9a-f]{64}$/.test(reviewed)) {
    throw usageError(
      `\`--reviewed\` must be a tree digest as \`review\` prints it, 64 hexadecimal digits, got: "${safeText(reviewed)}"`,
    );
  }
  if (flags.tree === undefined) {
    throw usageError(
      '`--reviewed` must be given with --tree, the synthesized tree that was reviewed, got: no --tree',
    );
  }
  const given = [
    ...(flags.var === undefined ? [] : ['--var']),
    ...(flags.varFile === undefined ? [] : ['--var-file']),
    ...(flags.migrateState ? ['--migrate-state'] : []),
    // An empty text is a value of a variable, too.
    ...Object.keys(env).filter((name) => /^TF_(VAR_|CLI_ARGS.*=.)/s.test(`${name}=${env[name]}`)),
  ][0];
  if (given === undefined) return;
  throw notReviewed(
    `\`--reviewed\` must be without ${given}, which is no part of the tree and changes what is deployed, got: both; leave ${given} out`,
  );
}
