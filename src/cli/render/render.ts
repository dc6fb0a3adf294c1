import { Argument } from 'commander';
import { alignColumns } from '../../lists/align-columns.js';
import type { Target } from '../../render/model.js';
import { TARGETS } from '../../render/target-table.js';
import { collectTexts, parseArguments } from '../program/arguments.js';
import { readNamedJson, writeOutput } from '../program/named-files.js';
import { newCommand } from '../program/new-command.js';
import { kubernetesCheck } from './kubernetes-check.js';

const HELP = `
Targets:
${alignColumns(TARGETS.map(({ name, about }) => [`  ${name}`, about])).join('\n')}

\`render kubernetes-check\` does not write rules, but a check of many links that Kubernetes runs on a schedule:
\`secure-connectivity render kubernetes-check --help\`.

Exit status: 0 rendered, 2 usage.`;

interface Flags {
  readonly access: string;
  readonly rules?: readonly string[];
  readonly merge?: boolean;
  readonly output?: string;
}

export default async function main(args: readonly string[]): Promise<number> {
  if (args[0] === 'kubernetes-check') return await kubernetesCheck(args.slice(1));
  const command = newCommand('render')
    .addArgument(
      new Argument('<target>', 'format to write').choices(TARGETS.map(({ name }) => name)),
    )
    .requiredOption('--access <file>', 'access.json of a synthesized stack')
    .option(
      '--rules <filter>',
      'only rules that match FIELD=VALUE; commas mean AND, repeating the flag means OR',
      collectTexts,
    )
    .option('--merge', 'aggregate adjacent addresses into prefixes that contain no others')
    .option('--output <file>', 'write to a file (default: standard output)')
    .addHelpText('after', HELP);
  const flags = parseArguments<Flags>(command, args);
  const entry = TARGETS.find(({ name }) => name === command.args[0]);
  if (entry === undefined) throw new TypeError('commander let an unknown target through');
  const target = await entry.load();
  writeOutput('--output', flags.output, target.render(await readModel(target, flags)));
  return 0;
}

async function readModel({ name, showsRules }: Target, { access, rules = [], merge }: Flags) {
  const [{ checkAccessModel }, { clientSide, mergeModel, requireClientSide, selectRules }] =
    await Promise.all([
      import('../../access/access-file.js'),
      import('../../render/select-rules.js'),
    ]);
  const model = checkAccessModel(await readNamedJson('--access', access));
  const selected = selectRules(showsRules ? model : clientSide(model), rules);
  if (!showsRules) requireClientSide(selected, name);
  return merge ? mergeModel(selected) : selected;
}
