import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import * as z from 'zod';
import { usageError } from '../../../codes/connectivity-error.js';
import { readBounded } from '../../../files/bounded-read.js';
import { readJsonFile } from '../../../files/json.js';
import { withWaitNotice } from '../../../progress/waiting.js';
import { moreConfiguration, stackFile } from '../../../terraform/configuration-files.js';
import { readManifest } from '../../../terraform/manifest.js';
import { KEY_VARIABLE } from '../../../terraform/program.js';
import { LOCK_FILE } from '../../../terraform/tree-digest.js';
import { type Interrupts, signalStatus, statusOf } from '../../program/signals.js';

const configSchema = z.looseObject({
  app: z.string().min(1).optional(),
  output: z.string().min(1).optional(),
  context: z.record(z.string(), z.unknown()).optional(),
  terraformModules: z
    .array(z.union([z.string(), z.looseObject({ source: z.string() })]))
    .default([]),
});

/** The part that is read of a project's cdktf.json. */
type ProjectConfig = z.infer<typeof configSchema>;

const CONFIG_FILE = 'cdktf.json';

/** Reads the project in the working folder; it may have none. @throws ConnectivityError `usage.invalid` */
export function readProjectConfig(): ProjectConfig {
  if (!existsSync(CONFIG_FILE)) return configSchema.parse({});
  try {
    return configSchema.parse(readJsonFile(CONFIG_FILE));
  } catch (cause) {
    throw usageError(
      `\`${CONFIG_FILE}\` must be JSON with \`app\`, the command that synthesizes, and may have \`output\` and \`context\`, got: ${(cause as Error).message.split('\n')[0]}`,
      cause,
    );
  }
}

interface Synthesis {
  readonly app: string;
  readonly output: string;
  readonly config: ProjectConfig;
  readonly interrupts: Interrupts;
}

/**
 * Runs the project's app, which writes the tree of its stacks, as the `cdktf` command does.
 *
 * @returns the app's exit status; what it printed is shown where that is not 0
 * @throws ConnectivityError `usage.invalid` where the app writes no tree, or not all of it
 */
export async function synthesize({ app, output, ...rest }: Synthesis): Promise<number> {
  const manifest = join(output, 'manifest.json');
  const before = changeTime(manifest);
  const lay = moreConfiguration(output);
  mkdirSync(output, { recursive: true });
  const { status, text } = await withWaitNotice('the app to synthesize the stacks', () =>
    runApp(app, appEnvironment(output, rest.config), rest.interrupts),
  );
  if (rest.interrupts.signal !== undefined) return signalStatus(rest.interrupts.signal);
  if (status !== 0) {
    process.stderr.write(`${text.trimEnd()}\n`);
    process.stderr.write(
      `secure-connectivity: the app ended with exit code ${status}, and nothing was changed: ${app}\n`,
    );
    return status;
  }
  if (changeTime(manifest) === before) {
    throw usageError(
      `\`app\` must write its stacks, as app.synth() does, got: no new ${manifest}; nothing was changed`,
    );
  }
  const names = (readManifest(output, '--output') ?? []).map(({ name }) => name);
  removeFormerStacks(output, names);
  refuseOthersFiles(lay, moreConfiguration(output));
  removeMachineFrom(output, names);
  placeLockFile(output, names);
  return 0;
}

/** Gives each stack the project's own lock file: which version of a provider is used changes with a commit alone. */
function placeLockFile(output: string, names: readonly string[]): void {
  if (!existsSync(LOCK_FILE)) return;
  for (const name of names) {
    copyFileSync(LOCK_FILE, join(output, 'stacks', name, LOCK_FILE));
  }
}

/**
 * Takes this machine and its Node.js out of what the app wrote: stack traces, and the project's own folder,
 * as in the state's default path, which Terraform reads from the folder of the stack.
 */
function removeMachineFrom(output: string, names: readonly string[]): void {
  const project = process.cwd();
  const file = join(output, 'manifest.json');
  const isTrace = (key: string, value: unknown) => key === 'stacktrace' && Array.isArray(value);
  const manifest = JSON.stringify(
    readJsonFile(file),
    (key, value: unknown) => (isTrace(key, value) ? undefined : value),
    2,
  );
  writeFileSync(file, withoutFolder(manifest, project, output));
  for (const name of names) {
    const folder = join(output, 'stacks', name);
    const written = stackFile(folder);
    const text = readBounded(written).toString('utf8');
    const moved = withoutFolder(text, project, folder);
    if (moved !== text) writeFileSync(written, moved);
  }
}

/** @param from the folder that paths lead from. Outside the project, no path to it is without the machine. */
function withoutFolder(json: string, project: string, from: string): string {
  const way = relative(resolve(from), project);
  if (project === '/' || !/^\.\.(\/\.\.)*$/.test(way)) return json;
  const escaped = JSON.stringify(project)
    .slice(1, -1)
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return json.replace(new RegExp(`(?<![\\w./}-])${escaped}(?=[/"\\\\])`, 'g'), () => way);
}

/** A commit can hold an output folder: what lies there and the app does not write, no review has seen. */
function refuseOthersFiles(
  before: ReadonlyMap<string, bigint>,
  after: ReadonlyMap<string, bigint>,
): void {
  const other = [...after].find(([file, time]) => before.get(file) === time)?.[0];
  if (other === undefined) return;
  throw usageError(
    `the output folder must have no configuration of Terraform that the app does not write, got: ${other}; remove it, or let the app write it; nothing was changed`,
  );
}

function changeTime(file: string): bigint | undefined {
  return statSync(file, { throwIfNoEntry: false, bigint: true })?.mtimeNs;
}

function appEnvironment(output: string, { context, terraformModules }: ProjectConfig) {
  // Values of variables belong to the deploy, and not into the tree; the key belongs to the check.
  const own = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('TF_VAR_') && name !== KEY_VARIABLE,
  );
  const given: unknown = JSON.parse(process.env.CDKTF_CONTEXT_JSON || '{}');
  const sources = terraformModules.map((one) => (typeof one === 'string' ? one : one.source));
  return {
    NODE_OPTIONS: '--max-old-space-size=4096',
    ...Object.fromEntries(own),
    CDKTF_OUTDIR: output,
    CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS: 'true',
    CDKTF_CONTEXT_JSON: JSON.stringify({
      ...(context ?? z.record(z.string(), z.unknown()).parse(given)),
      cdktfRelativeModules: sources.filter((source) => /^\.\.?\//.test(source)),
    }),
    SYNTH_HCL_OUTPUT: 'false',
  };
}

async function runApp(app: string, env: NodeJS.ProcessEnv, interrupts: Interrupts) {
  // A group of its own, so that the end of the shell is that of the app too.
  const child = spawn(app, { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const forget = interrupts.forward(() => {
    // Not SIGINT, which a shell ignores between two commands; an app has nothing to save.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
  }
  const status = await statusOf(child);
  forget();
  return { status, text };
}

/** Removes the folders of stacks that the app no longer makes; a state that is kept in one stays. */
function removeFormerStacks(output: string, names: readonly string[]): void {
  const stacks = join(output, 'stacks');
  if (!existsSync(stacks)) return;
  for (const name of readdirSync(stacks)) {
    const folder = join(stacks, name);
    if (names.includes(name) || !lstatSync(folder).isDirectory()) continue;
    const holdsState = readdirSync(folder).some((file) => /\.tfstate(\.|$)/.test(file));
    if (!holdsState) rmSync(folder, { recursive: true });
  }
}
