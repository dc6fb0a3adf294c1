import { Command } from 'commander';
import { parseArguments } from './program/parse-arguments.js';

const NEXT_STEPS = `
  npm install    Node.js 20 or 22, and Terraform on the PATH
  npm run demo   deploy all options in a sandbox and prove them, without a cloud account
  npm test       who may talk to whom

Then put your own values in stacks/settings/production.json. The whole way to the first deploy:
node_modules/cdktf-secure-connectivity/docs/first-deploy.md
`;

/** `secure-connectivity init DIR`: a project of one's own. */
export default async function main(args: readonly string[]): Promise<number> {
  const command = new Command('secure-connectivity init')
    .description(
      'Makes a project: stacks, settings, a test, workflows for GitHub. Refuses a folder that is not empty.',
    )
    .argument('<dir>', 'a new or an empty folder');
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const [folder = ''] = command.args;
  const { makeProject } = await import('./init/make-project.js');
  const files = makeProject(folder);
  process.stdout.write(`${folder}: ${files.length} files\n${NEXT_STEPS}`);
  return 0;
}
