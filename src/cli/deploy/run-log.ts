import { appendFileSync, readFileSync } from 'node:fs';

/** How `deploy` tells the programs below cdktf what to do, and where to write what they did. */
export const DEPLOY_VARIABLE = 'SECURE_CONNECTIVITY_DEPLOY';

/** Tells a check in which run of Terraform it is. */
export const RUN_VARIABLE = 'SECURE_CONNECTIVITY_DEPLOY_RUN';

/** To stop and name them, to take them into the state, or not to look for them. */
export type AdoptMode = 'stop' | 'auto' | 'off';

/** What `deploy` hands down, as JSON in the environment. */
export interface DeployContext {
  /** File that every run of Terraform and every check appends to. */
  readonly log: string;
  /** The folder that `deploy` runs in, which is that of the project. */
  readonly project: string;
  /** The program that Terraform is. */
  readonly terraform: string;
  /** How long to wait for another deploy's lock, in Terraform's words. */
  readonly lockTimeout: string;
  /** Another stack whose state this deploy may take over. */
  readonly stateOf?: string | undefined;
  /** What to do about objects that an interrupted deploy left in the cloud. */
  readonly adopt: AdoptMode;
}

/** One line of the log. `run` is the process that wraps Terraform. */
type RunEvent =
  | {
      readonly event: 'started';
      readonly run: number;
      readonly command: string;
      readonly folder: string;
    }
  | { readonly event: 'running'; readonly run: number; readonly terraform: number }
  | { readonly event: 'checked'; readonly run: number; readonly status: number }
  | { readonly event: 'message'; readonly run: number; readonly text: string }
  | { readonly event: 'ended'; readonly run: number; readonly status: number };

/** What `deploy` has handed down, where this process runs below one. */
export function readDeployContext(env: NodeJS.ProcessEnv): DeployContext | undefined {
  const text = env[DEPLOY_VARIABLE];
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as DeployContext);
}

/** Appends a line; lines of processes that write at once do not mix. */
export function logEvent({ log }: Pick<DeployContext, 'log'>, event: RunEvent): void {
  appendFileSync(log, `${JSON.stringify(event)}\n`);
}

/** Says how the check of a deploy has ended: Terraform itself only knows that it failed. */
export function logCheck(status: number, env: NodeJS.ProcessEnv = process.env): void {
  const context = readDeployContext(env);
  if (context === undefined) return;
  logEvent(context, { event: 'checked', run: Number(env[RUN_VARIABLE]), status });
}

/** One run of Terraform, as far as the log tells. */
export interface Run {
  readonly run: number;
  readonly command: string;
  readonly folder: string;
  readonly terraform: number | undefined;
  readonly messages: readonly string[];
  /** @default - it has not ended, or was killed */
  readonly status: number | undefined;
  /** Exit status of the last check that failed in it. */
  readonly checked: number | undefined;
}

/** The runs of Terraform, in the order in which they started. */
export function readRuns(log: string): Run[] {
  const events = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RunEvent);
  return events
    .filter((event) => event.event === 'started')
    .map(({ run, command, folder }) => {
      const own = events.filter((event) => event.run === run);
      return {
        run,
        command,
        folder,
        terraform: own.find((event) => event.event === 'running')?.terraform,
        messages: own.filter((event) => event.event === 'message').map(({ text }) => text),
        status: own.find((event) => event.event === 'ended')?.status,
        checked: own
          .filter((event) => event.event === 'checked')
          .filter((event) => event.status !== 0)
          .at(-1)?.status,
      };
    });
}
