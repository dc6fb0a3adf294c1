import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { usageError } from '../../codes/connectivity-error.js';
import { redact } from '../../codes/redact.js';
import { object } from '../../review/read/json.js';
import { isObject, type JsonObject, readText } from '../../sandbox/json.js';
import { terraformName } from '../../terraform/program.js';
import type { RehearsedStack } from '../read-trees.js';
import type { DeployResult } from '../report-schema.js';
import { stackFolder } from './working-stack.js';

/** Runs Terraform in the folders of stacks, which it initializes where their providers are others. */
export class StackRunner {
  readonly #initialized = new Map<string, string>();
  #running: ChildProcess | undefined;

  constructor(
    private readonly work: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** @throws ConnectivityError `usage.invalid` where it cannot be initialized */
  async run(stack: RehearsedStack, args: readonly string[]): Promise<TerraformRun> {
    const terraform = object(stack.terraform.blocks.get('terraform')?.body);
    const providers = JSON.stringify(terraform.required_providers ?? {});
    if (this.#initialized.get(stack.name) !== providers) {
      // The base may ask for other versions than the head, so that a lock of before does not count.
      const flags = ['-upgrade', '-input=false', '-no-color'];
      const { status, output } = await this.#execute(stack, ['init', ...flags]);
      if (status !== 0) {
        throw usageError(
          `Terraform must be able to initialize ${stack.name} without a network; give a folder of its providers with \`--provider-mirror\`, got: ${oneLine(output)}`,
        );
      }
      this.#initialized.set(stack.name, providers);
    }
    const flags = ['-json', '-input=false', '-lock=false'];
    const { status, output } = await this.#execute(stack, [...args, ...flags]);
    // A plan that is not empty ends with another status as well.
    return readRun(status, output, args.includes('-detailed-exitcode'));
  }

  /** Ends the Terraform that runs, at once, as a crash of its machine does. */
  kill(): void {
    this.#running?.kill('SIGKILL');
  }

  async #execute({ name }: RehearsedStack, args: readonly string[]) {
    const folder = stackFolder(this.work, name);
    const child = spawn(terraformName(process.env), [`-chdir=${folder}`, ...args], {
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: this.signal,
    });
    this.#running = child;
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    }
    const [status = null]: (number | null)[] = await once(child, 'close');
    this.signal?.throwIfAborted();
    return { status, output: Buffer.concat(chunks).toString('utf8') };
  }
}

/** What an apply came to. @param hasChanged whether an apply before it, of the same deploy, changed something */
export function deployResult(
  { name }: RehearsedStack,
  run: TerraformRun,
  hasChanged: boolean,
): DeployResult {
  const errors = run.errors.map((error) => `${name}: ${error}`);
  if (run.status === 0) return { status: 'passed', errors: [] };
  return { status: run.hasBegun || hasChanged ? 'failed' : 'refused', errors };
}

/** A change that Terraform has planned. */
interface PlannedChange {
  readonly address: string;
  /** Terraform's word: `create`, `update`, `delete`, `replace`, … */
  readonly action: string;
}

/** What one run of Terraform came to. */
interface TerraformRun {
  readonly status: number | null;
  /** In the order in which Terraform named them; what stays as it is is left out. */
  readonly planned: readonly PlannedChange[];
  /** Errors, each in one line. */
  readonly errors: readonly string[];
  /** Whether it has begun to change something. */
  readonly hasBegun: boolean;
}

/** Reads what Terraform says of itself. @param mayBeSilent whether it can fail without an error */
function readRun(status: number | null, output: string, mayBeSilent: boolean): TerraformRun {
  const messages = output.split('\n').flatMap(readMessage);
  const errors = messages.flatMap(readError);
  const isSilent = status !== 0 && errors.length === 0 && !mayBeSilent;
  return {
    status,
    planned: messages.flatMap(plannedChange),
    errors: isSilent ? [oneLine(output.slice(-MOST_OUTPUT)) || `it ended with ${status}`] : errors,
    hasBegun: messages.some(({ type }) => type === 'apply_start'),
  };
}

const MOST_OUTPUT = 2000;

function readMessage(line: string): JsonObject[] {
  try {
    const message: unknown = JSON.parse(line);
    return isObject(message) ? [message] : [];
  } catch {
    return [];
  }
}

function plannedChange({ type, change }: JsonObject): PlannedChange[] {
  if (type !== 'planned_change' || !isObject(change) || !isObject(change.resource)) return [];
  return [{ address: readText(change.resource, 'addr'), action: readText(change, 'action') }];
}

function readError({ type, diagnostic }: JsonObject): string[] {
  if (type !== 'diagnostic' || !isObject(diagnostic) || diagnostic.severity !== 'error') return [];
  const where = readText(diagnostic, 'address');
  const text = `${readText(diagnostic, 'summary')}: ${readText(diagnostic, 'detail')}`;
  return [oneLine(where === '' ? text : `${where}: ${text}`)];
}

function oneLine(text: string): string {
  return redact(text).replaceAll(/\s+/g, ' ').trim();
}
