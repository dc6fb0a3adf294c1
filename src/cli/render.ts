import { Argument, Command, Option } from 'commander';
import { TARGETS } from '../render/targets.js';
import { parseArguments } from './program/parse-arguments.js';
import { kubernetesCheck } from './render/kubernetes-check.js';
import type { RenderFlags } from './render/render-rules.js';

const HELP = `
Targets:
${TARGETS.map(({ name, about }) => `  ${name.padEnd(10)}  ${about}`).join('\n')}

\`render kubernetes-check\` does not write rules, but a check of many links that Kubernetes runs on a schedule:
\`secure-connectivity render kubernetes-check --help\`.

Exit status: 0 rendered or up to date, 2 usage, 3 with --check: the file differs, as printed.`;

export default async function main(args: readonly string[]): Promise<number> {
  if (args[0] === 'kubernetes-check') return await kubernetesCheck(args.slice(1));
  const command = new Command('secure-connectivity render')
    .description('Writes access rules in the format of a firewall that Terraform does not manage.')
    .addArgument(
      new Argument('<target>', 'format to write').choices(TARGETS.map(({ name }) => name)),
    )
    .requiredOption('--access <file>', 'access.json of a synthesized stack')
    .option(
      '--rules <filter>',
      'only rules that match FIELD=VALUE; commas mean AND, repeating the flag means OR',
      (value: string, previous: readonly string[] = []) => [...previous, value],
    )
    .option('--merge', 'aggregate adjacent addresses into prefixes that contain no others')
    .addOption(
      new Option('--check <file>', 'compare with a file in use, and write nothing').conflicts(
        'output',
      ),
    )
    .option('--output <file>', 'write to a file (default: standard output)')
    .addHelpText('after', HELP);
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const entry = TARGETS.find(({ name }) => name === command.args[0]);
  if (entry === undefined) throw new TypeError('commander let an unknown target through');
  const { renderRules } = await import('./render/render-rules.js');
  return await renderRules(await entry.load(), command.opts<RenderFlags>());
}
