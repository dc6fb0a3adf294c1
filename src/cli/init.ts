import { Command, Option } from 'commander';
import type { ProjectOptions } from './init/project-files.js';
import { FORGES } from './init/project-sources.js';
import { parseArguments } from './program/parse-arguments.js';

/** `secure-connectivity init DIR`: a project of one's own. */
export default async function main(args: readonly string[]): Promise<number> {
  const command = new Command('secure-connectivity init')
    .description(
      'Creates a project: stacks, settings, a test, CI jobs. Refuses a folder that is not empty.',
    )
    .argument('<dir>', 'a new or an empty folder')
    .option('--cdktn', "for cdktn, cdktf's community successor", false)
    .addOption(
      new Option('--ci <forge>', 'write this forge’s jobs for review, deploy and drift detection')
        .choices(FORGES)
        .default('github'),
    );
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const [folder = ''] = command.args;
  const options = command.opts<ProjectOptions>();
  const { makeProject } = await import('./init/make-project.js');
  const files = makeProject(folder, options);
  process.stdout.write(`${folder}: ${files.length} files\n${nextSteps(options)}`);
  return 0;
}

function nextSteps({ cdktn }: ProjectOptions): string {
  return `
  npm install    Node.js ${cdktn ? '22.19 or newer' : '20 or 22'}, and Terraform on the PATH
  npm run demo   deploy all options in a sandbox and prove them, without a cloud account
  npm test       who may talk to whom

Then put your own values in stacks/settings/production.json. The whole way to the first deploy:
node_modules/cdktf-secure-connectivity/docs/first-deploy.md
`;
}
