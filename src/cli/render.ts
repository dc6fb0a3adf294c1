import { writeFile } from 'node:fs/promises';
import { Argument, Command, Option } from 'commander';
import type { AccessModel } from '../access/access-model.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { checkAccessModel } from '../render/access-file.js';
import { difference } from '../render/difference.js';
import { mergeModel } from '../render/merge-model.js';
import { selectRules } from '../render/select-rules.js';
import type { Target } from '../render/target.js';
import { TARGETS } from '../render/targets.js';
import { parseArguments } from './parse-arguments.js';
import { readNamedFile, readNamedJson } from './read-named-file.js';

interface Flags {
  readonly access: string;
  readonly rules: readonly string[];
  readonly merge?: boolean;
  readonly check?: string;
  readonly output?: string;
}

/** The status of a file that is not up to date. */
const DIFFERS = 3;

const HELP = `
Targets:
${TARGETS.map(({ name, about }) => `  ${name.padEnd(10)}  ${about}`).join('\n')}

Exit status: 0 rendered or up to date, 2 usage, 3 with --check: the file differs, as printed.`;

export default async function main(args: readonly string[]): Promise<number> {
  const command = new Command('secure-connectivity render')
    .description('Writes access rules in the form of a firewall that Terraform does not manage.')
    .addArgument(new Argument('<target>', 'form to write').choices(TARGETS.map(({ name }) => name)))
    .requiredOption('--access <file>', 'access.json of a synthesized stack')
    .option(
      '--rules <filter>',
      'only rules with FIELD=VALUE, commas for and; repeatable for or',
      (value: string, previous: readonly string[]) => [...previous, value],
      [] as readonly string[],
    )
    .option('--merge', 'write neighbouring addresses as one prefix, where it holds no other')
    .addOption(
      new Option('--check <file>', 'compare a file in use instead of writing').conflicts('output'),
    )
    .option('--output <file>', 'write to a file (default: standard output)')
    .addHelpText('after', HELP);
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const flags = command.opts<Flags>();
  const target = TARGETS.find(({ name }) => name === command.args[0]);
  if (target === undefined) throw new TypeError('commander let an unknown target through');
  const model = await readModel(flags);
  const text = target.render(flags.merge ? mergeModel(model) : model);
  if (flags.check !== undefined) return await check(target, text, flags.check);
  if (flags.output === undefined) process.stdout.write(text);
  else await writeOutput(flags.output, text);
  return 0;
}

async function readModel({ access, rules }: Flags): Promise<AccessModel> {
  return selectRules(checkAccessModel(await readNamedJson('--access', access)), rules);
}

async function check(target: Target, text: string, file: string): Promise<number> {
  const inUse = await readNamedFile('--check', file);
  const lines = differenceLines(target, text, inUse);
  if (lines.length === 0) {
    process.stdout.write(`${file} is up to date\n`);
    return 0;
  }
  process.stdout.write(`${file} is not up to date\n${lines.map((line) => `${line}\n`).join('')}`);
  return DIFFERS;
}

function differenceLines({ parse }: Target, text: string, inUse: string): string[] {
  if (parse === undefined) return inUse === text ? [] : ['it is another text'];
  try {
    return difference(parse(inUse), parse(text));
  } catch (error) {
    if (error instanceof ConnectivityError && error.code === 'render.unreadable') {
      return [error.message];
    }
    throw error;
  }
}

async function writeOutput(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (cause) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`--output\` must be a file that can be written, got: ${file} (${(cause as NodeJS.ErrnoException).code})`,
      { cause },
    );
  }
}
