import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Option } from 'commander';
import { type ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import { packageFolder } from '../../package/package-folder.js';
import type { LoadedSettings } from '../../settings/load-settings.js';
import type { ModuleSettings } from '../../settings/module-settings.js';
import type { Settings } from '../../settings/schema.js';
import { parseArguments } from '../program/arguments.js';
import { isWithin, unwritableError } from '../program/named-files.js';
import { newCommand } from '../program/new-command.js';
import { readModuleSettings, readSettings } from '../program/read-settings.js';
import type { OnBrokenIntent } from '../program/refuse-broken-intents.js';
import { writeTree } from './out-folder.js';

const MORE_HELP = `
Without --settings it runs the app of the project in the working folder, and writes to cdktf.out what
\`deploy\` would deploy; --out names another folder.

With --settings, the name of FILE without .json is the environment, and --out is required. Relative paths in
the settings refer to the working folder. DIR gets one folder per stack:

  secure-connectivity synth --settings production.json --out terraform
  terraform -chdir=terraform/stacks/api-access-production init
  terraform -chdir=terraform/stacks/api-access-production apply

A second run replaces what the first one wrote, completely or not at all. A folder that contains anything
else is refused, and so is one with a stack that is no longer in the settings.

With --module, DIR is one module that a root in HCL calls. Settings may then say "\${var.vpc_id}" for ids of
VPCs, subnets, security groups and load balancers, for names, the project and values of tags.

With --intents report, a tree that breaks an intent is written all the same, for a review that judges it.

Exit status: 0 written; 2 usage or settings, 4 an intent is broken, 74 disk full; without --settings also
that of the app. With --settings, a run that fails writes nothing.`;

interface Flags {
  readonly settings?: string;
  readonly app?: string;
  readonly out?: string;
  readonly module?: string;
  readonly intents: OnBrokenIntent;
}

/** `secure-connectivity synth`: Terraform JSON of a project, or of a settings file without one. */
export default async function main(args: readonly string[]): Promise<number> {
  const command = newCommand('synth')
    .option('--settings <file>', 'the settings of one environment')
    .addOption(
      new Option('--app <command>', 'runs the app (default: `app` of cdktf.json)').conflicts(
        'settings',
      ),
    )
    .option('--out <dir>', 'a new folder, or one that this command wrote')
    .addOption(
      new Option('--module <dir>', 'write a module that a root in HCL calls').conflicts('out'),
    )
    .addOption(
      new Option('--intents <what>', 'what to do where the tree breaks an intent')
        .choices(['refuse', 'report'])
        .default('refuse'),
    )
    .addHelpText('after', MORE_HELP);
  const { settings, app, out, module, intents } = parseArguments<Flags>(command, args);
  if (settings === undefined) {
    if (module !== undefined)
      throw usageError('`--settings` is required with `--module`, got: none');
    return (await import('./project-app.js')).synthesizeProject({ app, out, intents });
  }
  if (module !== undefined) return synthesizeModule(settings, module);
  if (out === undefined) throw usageError('`--out` is required with `--settings`, got: none');
  const stacks = await synthesizeSettings(await readSettings(settings), out, intents);
  process.stdout.write(stacks.map((folder) => `${folder}\n`).join(''));
  return 0;
}

/**
 * Writes the settings as a module.
 *
 * @throws ConnectivityError `usage.invalid`, `output.lost`
 */
async function synthesizeModule(file: string, folder: string): Promise<number> {
  const [loaded, { writeModule }, { MODULE_CONTEXT }] = await Promise.all([
    readModuleSettings(file),
    import('./module-files.js'),
    import('../../cloud/module-context.js'),
  ]);
  const { moduleApp } = await loadStacks<ModuleStacks>('module.js');
  await writingTo('--module', folder, () =>
    writeModule(folder, (outdir) => {
      const context = { ...CONTEXT, [MODULE_CONTEXT]: true };
      const config = { outdir, context, stackTraces: false };
      inEnvironment(loaded.environment, () => moduleApp(loaded, config).synth());
    }),
  );
  process.stdout.write(`${folder}\n`);
  return 0;
}

/** The context of a project's cdktf.json. */
const CONTEXT = { excludeStackIdFromLogicalIds: 'true', allowSepCharsInLogicalIds: 'true' };

/**
 * Writes the stacks of an environment as Terraform JSON, all of them or none.
 *
 * @returns the folder of each stack
 * @throws ConnectivityError `usage.invalid`, `output.lost`, `policy.intent-broken`
 */
async function synthesizeSettings(
  loaded: LoadedSettings,
  out: string,
  onBroken: OnBrokenIntent,
): Promise<string[]> {
  requireReachableCheck(loaded.settings);
  const [stacks, { refuseBrokenIntents }] = await Promise.all([
    loadStacks<Stacks>('environment.js'),
    import('../program/refuse-broken-intents.js'),
  ]);
  const names = await writingTo('--out', out, () =>
    writeTree(out, async (outdir) => {
      const config = { outdir, context: CONTEXT, stackTraces: false };
      inEnvironment(loaded.environment, () => stacks.environmentApp(loaded, config).synth());
      await refuseBrokenIntents(outdir, onBroken);
    }),
  );
  return names.map((name) => join(out, 'stacks', name));
}

/** Names the option in the error of a folder that cannot be written. */
async function writingTo<T>(option: string, folder: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (!isOfFiles(cause)) throw cause;
    throw unwritableError(
      folder,
      cause,
      (code) => `\`${option}\` must be where this command can write, got: ${folder} (${code})`,
    );
  }
}

/** Tells whether a call of the file system failed, ours or cdktf's. */
function isOfFiles(cause: unknown): boolean {
  return cause instanceof Error && 'syscall' in cause && 'code' in cause;
}

/** The stacks name the program of the check by a path, which must not be one of this machine alone. */
function requireReachableCheck({ check }: Settings): void {
  if (check.mode === 'off' || check.program !== undefined) return;
  const own = packageFolder();
  const [root = own] = own.split(`${sep}node_modules${sep}`);
  const cwd = process.cwd();
  if (isWithin(root, cwd)) return;
  throw usageError(
    `\`check.program\` is required unless this package is installed in the working folder, where the check after a deploy looks for it, got: ${relative(cwd, own)}; set it to secure-connectivity, or run: npm install cdktf-secure-connectivity`,
  );
}

/**
 * Sets the environment for an app of a project: another one would make other files of the same
 * settings.
 */
function inEnvironment(environment: string, work: () => void): void {
  const before = { ...process.env };
  for (const name of Object.keys(process.env)) {
    if (/^(CDKTF_|SYNTH_HCL_OUTPUT$|CONNECTIVITY_)/.test(name)) delete process.env[name];
  }
  process.env.CONNECTIVITY_ENV = environment;
  try {
    work();
  } finally {
    delete process.env.CONNECTIVITY_ENV;
    Object.assign(process.env, before);
  }
}

/** The built stacks, as far as they are used here. */
interface Stacks {
  environmentApp(loaded: LoadedSettings, config: object): { synth(): void };
}

/** The built stack of a module. */
interface ModuleStacks {
  moduleApp(loaded: ModuleSettings & { environment: string }, config: object): { synth(): void };
}

/** Packages that the stacks of each form need beside this one. */
const NEEDS = {
  cdktf: ['cdktf', '@cdktf/provider-null', 'constructs'],
  cdktn: ['cdktn', 'constructs'],
} as const;

/**
 * Loads the stacks for what is installed beside this package: cdktf, or else its community continuation.
 *
 * @throws ConnectivityError `usage.invalid` naming what has to be installed
 */
async function loadStacks<T>(built: string): Promise<T> {
  const form = NEEDS.cdktf.every(isInstalled) ? 'cdktf' : 'cdktn';
  const missing = NEEDS[form].filter((name) => !isInstalled(name));
  if (missing.length > 0) throw notInstalled(missing);
  const file = join(packageFolder(), 'dist', 'stacks', form, built);
  return (await import(pathToFileURL(file).href)) as T;
}

function isInstalled(name: string): boolean {
  try {
    createRequire(join(packageFolder(), 'package.json')).resolve(`${name}/package.json`);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}

function notInstalled(missing: readonly string[]): ConnectivityError {
  const text = readFileSync(join(packageFolder(), 'package.json'), 'utf8');
  const manifest = JSON.parse(text) as Record<string, Record<string, string> | undefined>;
  const versions = { ...manifest.devDependencies, ...manifest.peerDependencies };
  const packages = NEEDS.cdktn.map((name) => {
    const [version = ''] = /0\.\d+|[1-9]\d*/.exec(versions[name] ?? '') ?? [];
    return `${name}@${version}`;
  });
  return usageError(
    `\`synth\` needs ${missing.join(', ')} beside this package, got: not installed; run: npm install ${packages.join(' ')}`,
  );
}
