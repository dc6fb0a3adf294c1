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

/** One run of Terraform, as far as the log tells. */
export interface Run {
  /** The process that wraps Terraform. */
  readonly run: number;
  readonly command: string;
  readonly folder: string;
  readonly terraform?: number;
  readonly messages: readonly string[];
  /** @default - it has not ended, or was killed */
  readonly status?: number;
  /** Exit status of the last check that failed in it. */
  readonly checked?: number;
}

/** One line of the log: what became known of a run; the first one has its command and folder. */
type RunEntry = Pick<Run, 'run'> & Partial<Omit<Run, 'messages'>> & { readonly message?: string };

/** What `deploy` has handed down, where this process runs below one. */
export function readDeployContext(env: NodeJS.ProcessEnv): DeployContext | undefined {
  const text = env[DEPLOY_VARIABLE];
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as DeployContext);
}

/** Appends a line; lines of processes that write at once do not mix. */
export function logRun({ log }: Pick<DeployContext, 'log'>, entry: RunEntry): void {
  appendFileSync(log, `${JSON.stringify(entry)}\n`);
}

/** Says how the check of a deploy has failed: Terraform itself only knows that it did. */
export function logCheck(status: number): void {
  const context = readDeployContext(process.env);
  if (context === undefined || status === 0) return;
  logRun(context, { run: Number(process.env[RUN_VARIABLE]), checked: status });
}

/** The runs of Terraform, in the order in which they started. */
export function readRuns(log: string): Run[] {
  const entries = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RunEntry);
  return entries.flatMap(({ run, command, folder }): Run[] => {
    if (command === undefined || folder === undefined) return [];
    const own = entries.filter((entry) => entry.run === run);
    const messages = own.flatMap(({ message }) => message ?? []);
    const { message: _, ...facts }: RunEntry = Object.assign({ run }, ...own);
    return [{ ...facts, command, folder, messages }];
  });
}
