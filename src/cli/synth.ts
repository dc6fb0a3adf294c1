import { Command } from 'commander';
import { parseArguments } from './program/parse-arguments.js';

const MORE_HELP = `
The name of FILE without .json is the environment. DIR must be below the working folder, to which
relative paths in the settings refer. It gets one folder per stack:

  secure-connectivity synth --settings production.json --out terraform
  terraform -chdir=terraform/stacks/api-access-production init
  terraform -chdir=terraform/stacks/api-access-production apply

A second run replaces what the first one wrote, completely or not at all. A folder that contains anything
else is refused, and so is one with a stack that is no longer in the settings.

Exit status: 0 written; 2 usage or settings, 74 disk full; in both cases nothing is written.`;

interface Flags {
  readonly settings: string;
  readonly out: string;
}

/** `secure-connectivity synth`: Terraform JSON from a settings file, without a project. */
export default async function main(args: readonly string[]): Promise<number> {
  const command = new Command('secure-connectivity synth')
    .description('Writes Terraform JSON from a settings file, without a project.')
    .requiredOption('--settings <file>', 'the settings of one environment')
    .requiredOption('--out <dir>', 'a new folder, or one that this command wrote')
    .addHelpText('after', MORE_HELP);
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const { settings, out } = command.opts<Flags>();
  const [{ readSettings }, { synthesizeSettings }] = await Promise.all([
    import('./program/read-settings.js'),
    import('./synth/synthesize-settings.js'),
  ]);
  const stacks = await synthesizeSettings(await readSettings(settings), out);
  process.stdout.write(stacks.map((folder) => `${folder}\n`).join(''));
  return 0;
}
