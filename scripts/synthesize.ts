import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Where the settings of the project's own stacks are. */
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
 * needs seconds more, and from the sources, so that nothing has to be built before.
 */
export async function synthesize(
  environment: string,
  folder: string,
  settings = SETTINGS,
): Promise<void> {
  const { context } = JSON.parse(readFileSync('cdktf.json', 'utf8')) as { context: object };
  const { CONNECTIVITY_STATE_FOLDER: _, ...env } = process.env;
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'stacks/main.ts'], {
    env: {
      ...env,
      TSX_TSCONFIG_PATH: 'scripts/sources.tsconfig.json',
      CDKTF_OUTDIR: folder,
      CDKTF_CONTEXT_JSON: JSON.stringify(context),
      CONNECTIVITY_ENV: environment,
      CONNECTIVITY_SETTINGS: settings,
    },
  });
}
