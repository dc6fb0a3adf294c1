import { rmSync } from 'node:fs';
import { Command } from 'commander';
import { makeTemporaryFolder } from '../../../files/temporary-folder.js';
import { parseArguments } from '../../program/arguments.js';
import { coloured } from '../../program/output.js';
import { DemoCommands, DemoEnded } from './commands.js';
import { DemoSettings } from './settings.js';
import { STEPS } from './steps.js';

/** `secure-connectivity sandbox demo`: deploys a project's stacks in a sandbox, proves, breaks and diagnoses them. */
export async function demo(args: readonly string[]): Promise<number> {
  const parser = new Command('secure-connectivity sandbox demo')
    .description(
      'Deploys the sandbox stacks of the project in the working folder, proves, breaks, diagnoses and destroys them.',
    )
    .option('--like-real', 'in a cloud that does what was seen on the real one; takes longer')
    .option('--verbose', 'show all that the commands print');
  const { verbose = false, likeReal = false } = parseArguments<{
    verbose?: boolean;
    likeReal?: boolean;
  }>(parser, args);
  const folder = makeTemporaryFolder('demo');
  try {
    const settings = new DemoSettings(folder);
    const commands = new DemoCommands(folder, {
      settings: settings.folder,
      sandbox: likeReal ? ['--like-real'] : [],
      isVerbose: verbose,
    });
    const steps = STEPS.filter(({ isPossible }) => isPossible?.(settings) ?? true);
    for (const [index, { title, run }] of steps.entries()) {
      const gap = index === 0 ? '' : '\n';
      process.stdout.write(`${gap}${coloured(['cyan', 'bold'], `${index + 1}. ${title}`)}\n`);
      await run({ settings, commands });
    }
    process.stdout.write(coloured(['green', 'bold'], 'Done. Nothing is left running.\n'));
    return 0;
  } catch (error) {
    if (!(error instanceof DemoEnded)) throw error;
    process.stderr.write(`${error.output}\nsecure-connectivity: the demo: ${error.message}\n`);
    return error.status;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
