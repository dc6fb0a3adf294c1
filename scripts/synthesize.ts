import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** The folder of the settings of the project's own stacks. */
export const SETTINGS = 'stacks/settings';

/** The environments that have settings. */
export function environments(settings = SETTINGS): string[] {
  return readdirSync(settings)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/**
 * Synthesizes every stack of an environment as `cdktf synth` does, without its command line, which
 * needs seconds more.
 */
export async function synthesize(
  environment: string,
  folder: string,
  settings = SETTINGS,
): Promise<void> {
  await runOnSources('stacks/main.ts', [], {
    CDKTF_OUTDIR: folder,
    CONNECTIVITY_ENV: environment,
    CONNECTIVITY_SETTINGS: settings,
  });
}

/** Runs a program that imports the package by its name, on the sources: nothing has to be built. */
export async function runOnSources(
  program: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const { context } = JSON.parse(readFileSync('cdktf.json', 'utf8')) as { context: object };
  // The place of the state must not depend on who synthesizes.
  const { CONNECTIVITY_STATE_FOLDER: _, ...inherited } = process.env;
  await promisify(execFile)(process.execPath, ['--import', 'tsx', program, ...args], {
    env: {
      ...inherited,
      TSX_TSCONFIG_PATH: 'scripts/sources.tsconfig.json',
      CDKTF_CONTEXT_JSON: JSON.stringify(context),
      ...env,
    },
  });
}
