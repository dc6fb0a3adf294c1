import { rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { packageFolder } from '../../package/package-folder.js';
import type { LoadedSettings } from '../../settings/load-settings.js';
import type { Settings } from '../../settings/schema.js';
import { isLost, lostOutput } from '../program/write-named-file.js';
import { loadStacks } from './load-stacks.js';
import { isBelow, openOutFolder } from './out-folder.js';

/** What a project has in its cdktf.json. */
const CONTEXT = { excludeStackIdFromLogicalIds: 'true', allowSepCharsInLogicalIds: 'true' };

/**
 * Writes the stacks of an environment as Terraform JSON, all of them or none.
 *
 * @returns the folder of each stack
 * @throws ConnectivityError `usage.invalid`, `settings.invalid`, `construct.invalid`, `output.lost`
 */
export async function synthesizeSettings(loaded: LoadedSettings, out: string): Promise<string[]> {
  requireReachableCheck(loaded.settings);
  const stacks = await loadStacks();
  const folder = openOutFolder(out);
  let draft: string | undefined;
  try {
    draft = folder.makeDraft();
    const environment = environmentAlone(loaded.environment);
    try {
      stacks
        .environmentApp(loaded, { outdir: draft, context: CONTEXT, stackTraces: false })
        .synth();
    } finally {
      environment.restore();
    }
    return folder.replaceBy(draft).map((name) => join(out, 'stacks', name));
  } catch (cause) {
    throw isOfFiles(cause) ? unwritten(out, cause) : cause;
  } finally {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
    folder.close();
  }
}

/** Whether a call of the file system failed, ours or cdktf's. */
function isOfFiles(cause: unknown): cause is NodeJS.ErrnoException {
  return cause instanceof Error && 'syscall' in cause && 'code' in cause;
}

function unwritten(out: string, cause: NodeJS.ErrnoException): ConnectivityError {
  const { code = '' } = cause;
  if (isLost(code)) return lostOutput(out, code, cause);
  return new ConnectivityError(
    'usage.invalid',
    `\`--out\` must be where this command can write, got: ${out} (${code})`,
    { cause },
  );
}

/** The stacks name the program of the check by a path, which must not be one of this machine alone. */
function requireReachableCheck({ check }: Settings): void {
  if (check.mode === 'off' || check.program !== undefined) return;
  const own = packageFolder();
  const [root = own] = own.split(`${sep}node_modules${sep}`);
  const cwd = process.cwd();
  if (cwd === root || isBelow(root, cwd)) return;
  throw new ConnectivityError(
    'usage.invalid',
    `\`check.program\` is required where this package is not installed in the working folder, for the check after a deploy runs it, got: ${relative(cwd, own)}; set it to secure-connectivity, or run: npm install cdktf-secure-connectivity`,
  );
}

/** What the caller's environment says to an app of a project would make other files of the same settings. */
function environmentAlone(environment: string): { restore(): void } {
  const before = { ...process.env };
  for (const name of Object.keys(process.env)) {
    if (/^(CDKTF_|SYNTH_HCL_OUTPUT$|CONNECTIVITY_)/.test(name)) delete process.env[name];
  }
  process.env.CONNECTIVITY_ENV = environment;
  return {
    restore: () => {
      delete process.env.CONNECTIVITY_ENV;
      Object.assign(process.env, before);
    },
  };
}
