import { relative } from 'node:path';
import { usageError } from '../../codes/connectivity-error.js';
import { readStacks } from '../deploy/tree/stacks.js';
import { readProjectConfig, synthesize } from '../deploy/tree/synthesize.js';
import { type OnBrokenIntent, refuseBrokenIntents } from '../program/refuse-broken-intents.js';
import { Interrupts } from '../program/signals.js';

interface ProjectRun {
  /** @default - the `app` of the project's cdktf.json */
  readonly app: string | undefined;
  /** @default - the `output` of its cdktf.json, or `cdktf.out` */
  readonly out: string | undefined;
  readonly intents: OnBrokenIntent;
}

/**
 * Writes the stacks of the project in the working folder, by its own app.
 *
 * @returns the exit status
 * @throws ConnectivityError `usage.invalid`, `policy.intent-broken`
 */
export async function synthesizeProject({ out, intents, ...run }: ProjectRun): Promise<number> {
  const config = readProjectConfig();
  const { app = config.app } = run;
  const { output = 'cdktf.out' } = config;
  if (app === undefined) {
    throw usageError(
      '`--settings` is required without a project, got: none, and no `app` in a cdktf.json of the working folder; name a settings file or an `--app`, or run this in a project',
    );
  }
  const interrupts = new Interrupts();
  try {
    const tree = out ?? output;
    const status = await synthesize({ app, output: tree, config, interrupts });
    if (status !== 0) return status;
    const stacks = readStacks(tree, '--out');
    await refuseBrokenIntents(tree, intents);
    for (const { folder } of stacks) {
      process.stdout.write(`${relative(process.cwd(), folder)}\n`);
    }
    return 0;
  } finally {
    interrupts.stop();
  }
}
