import { closeSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Option } from 'commander';
import { usageError } from '../../codes/connectivity-error.js';
import { makeFolder } from '../../files/whole-file.js';
import { parseArguments } from '../program/arguments.js';
import { unwritableError } from '../program/named-files.js';
import { newCommand } from '../program/new-command.js';
import { FORGES, type ProjectOptions, projectFiles } from './project-files.js';

/** `secure-connectivity init DIR`: a project of one's own. */
export default async function main(args: readonly string[]): Promise<number> {
  const command = newCommand('init')
    .argument('<dir>', 'a new or an empty folder')
    .option('--cdktf', 'for cdktf, which its owner has archived, instead of its successor cdktn')
    .addOption(
      new Option('--ci <system>', 'write CI jobs for review, deploy and drift detection')
        .choices(FORGES)
        .default('github'),
    );
  const flags = parseArguments<Omit<ProjectOptions, 'tsx'>>(command, args);
  const options = { ...flags, tsx: !runsTypeScript() };
  const [folder = ''] = command.args;
  const files = makeProject(folder, options);
  process.stdout.write(`${folder}: ${files.length} files\n${nextSteps(options)}`);
  return 0;
}

/** Tells whether this Node.js runs TypeScript as it is, as 22.18 and newer do. */
function runsTypeScript(): boolean {
  return 'typescript' in process.features && process.features.typescript !== false;
}

function nextSteps({ tsx }: ProjectOptions): string {
  return `
  npm install    Node.js ${tsx ? '20.19' : '22.18'} or newer, and Terraform on the PATH
  npm run demo   deploy all options in a sandbox and prove them, without a cloud account
  npm test       who may talk to whom

Then put your own values in stacks/settings/production.json. The whole way to the first deploy:
node_modules/cdktf-secure-connectivity/docs/first-deploy.md
`;
}

/**
 * Makes a project in a folder; where a file cannot be written, what was made is taken away again.
 *
 * @returns the files, by their path in the project
 * @throws ConnectivityError `usage.invalid`
 */
function makeProject(folder: string, options: ProjectOptions): readonly string[] {
  requireEmpty(folder);
  const files = projectFiles(projectName(folder), options);
  const made: string[] = [];
  try {
    for (const [name, text] of files) {
      const path = join(folder, name);
      const first = makeFolder(dirname(path));
      if (first !== undefined) made.push(first);
      const file = openSync(path, 'wx');
      made.push(path);
      try {
        writeFileSync(file, text);
      } finally {
        closeSync(file);
      }
    }
  } catch (cause) {
    for (const path of made.reverse()) rmSync(path, { recursive: true, force: true });
    throw unwritableError(folder, cause, (code) =>
      refusal(folder, `which cannot be written (${code})`),
    );
  }
  return [...files.keys()];
}

function requireEmpty(folder: string): void {
  if (folder.trim() === '') throw usageError(refusal(folder, 'which is not a name'));
  // Its password would become the name of a folder.
  if (folder.includes('://')) throw usageError(refusal(folder, 'which is a URL'));
  let entries: string[] = [];
  try {
    entries = readdirSync(folder);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    const problem = code === 'ENOTDIR' ? 'which is not a folder' : `(${code})`;
    throw usageError(refusal(folder, problem));
  }
  // What a new repository has before its first commit.
  const first = entries.find((entry) => entry !== '.git');
  if (first !== undefined) throw usageError(refusal(folder, `which holds ${first}`));
}

/** A name that npm takes. */
function projectName(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, 100);
  return name === '' ? 'connectivity' : name;
}

function refusal(folder: string, why: string): string {
  return `\`DIR\` must be a new or an empty folder, got: "${folder}", ${why}`;
}
