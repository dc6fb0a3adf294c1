import { existsSync } from 'node:fs';
import { EXIT, factsOf, isCode } from '../../codes/codes.js';
import { shellWord } from '../../files/shell-word.js';
import type { LoadedSettings } from '../../settings/load-settings.js';
import type { Settings } from '../../settings/schema.js';
import type { RunOptions } from '../../verify/model/options.js';
import { cloudPoints } from './cloud-points.js';
import type { Point } from './point.js';
import { checkPoints, proxyPoint, terraformPoint } from './runner-points.js';
import { personSteps } from './steps.js';

/** Whether a deploy of an environment can begin on this machine. */
export interface Readiness {
  readonly schema: 'secure-connectivity/ready@1';
  readonly environment: string;
  readonly verdict: 'ready' | 'not-ready';
  readonly points: readonly Point[];
  /** What a person does, as sentences. */
  readonly steps: readonly string[];
  /** Commands that deploy; none where something failed. */
  readonly deploy: readonly string[];
}

export async function judgeReadiness(
  { environment, settings }: LoadedSettings,
  file: string,
  options: RunOptions,
): Promise<Readiness> {
  const { env } = process;
  const points = [
    ...(await checkPoints(settings, options)),
    await proxyPoint(env, options),
    await terraformPoint(env),
    ...(await cloudPoints(settings, env)),
  ];
  const isReady = points.every(({ status }) => status !== 'failed');
  return {
    schema: 'secure-connectivity/ready@1',
    environment,
    verdict: isReady ? 'ready' : 'not-ready',
    points,
    steps: personSteps(settings),
    deploy: isReady ? deployCommands(environment, settings, file) : [],
  };
}

/** The status of the first point that failed. */
export function exitOf({ points }: Readiness): number {
  const first = points.find(({ status }) => status === 'failed');
  if (first === undefined) return 0;
  const { code = '' } = first;
  return isCode(code) ? factsOf(code).exit : EXIT.bug;
}

function deployCommands(environment: string, settings: Settings, file: string): string[] {
  const { privatePlugin, fixedIpPlugin, userIdHeader } = settings;
  const hasPlugins = [privatePlugin, fixedIpPlugin, userIdHeader].some((one) => one !== undefined);
  const stacks = [
    `api-access-${environment}`,
    ...(hasPlugins ? [`plugin-access-${environment}`] : []),
  ];
  if (existsSync('cdktf.json')) {
    return [`CONNECTIVITY_ENV=${environment} npx secure-connectivity deploy ${stacks.join(' ')}`];
  }
  const folders = stacks.map((stack) => `terraform -chdir=terraform/stacks/${stack}`);
  return [
    `npx secure-connectivity synth --settings ${shellWord(file)} --out terraform`,
    ...folders.map((terraform) => `${terraform} init && ${terraform} apply`),
  ];
}
