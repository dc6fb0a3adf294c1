import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { usageError } from '../../codes/connectivity-error.js';
import { redactOthers } from '../../codes/redact.js';
import { parseJson } from '../../files/json.js';
import { object, text } from '../../reach/read/json.js';
import type { JsonObject } from '../../sandbox/json.js';
import { stateOf, stateReadBy } from '../../sandbox/terraform/states.js';
import { writeStackFolder } from '../../sandbox/terraform/write-folder.js';
import { runInit } from '../../terraform/commands.js';
import { realTerraform } from '../../terraform/program.js';
import { runTerraform } from '../../terraform/run-terraform.js';
import type { RehearsedStack, RehearsedTree } from '../read-trees.js';

/** Returns the folder of a stack in a rehearsal. */
export function stackFolder(work: string, name: string): string {
  return join(work, 'stacks', name);
}

/** Returns where it keeps the stack's state. */
export function stateFile(work: string, name: string): string {
  return join(work, 'states', `${name}.tfstate`);
}

/**
 * Puts a stack into its working folder, in place of what was there: on a state of the rehearsal, and
 * without provisioners, so that no program of a tree is run. What `terraform init` wrote there stays.
 *
 * @param mayBeDestroyed whether `prevent_destroy` is left out too
 * @throws ConnectivityError `usage.invalid` for a file that is named and cannot be taken
 */
export function placeStack(
  work: string,
  { name, folder, understood }: RehearsedStack,
  tree: RehearsedTree,
  { mayBeDestroyed = false } = {},
): void {
  const names = new Map(
    tree.map((one) => [
      stateOf(one.understood.blocks, one.folder, work),
      stateFile(work, one.name),
    ]),
  );
  const of = (source: JsonObject) => {
    const path = stateReadBy(source, folder, work);
    return names.get(path) ?? path;
  };
  const refuse = (rule: string, got: string) => usageError(`${name} ${rule}, got: ${got}`);
  writeStackFolder(
    { folder, understood },
    stackFolder(work, name),
    { states: { own: stateFile(work, name), of }, mayBeDestroyed },
    refuse,
  );
}

/** The most that one run of Terraform may take: a stack of others may compute without an end. */
export interface RunLimits {
  readonly ms: number;
  /** Address space of each process, where the system can limit it. */
  readonly memoryMiB: number;
  readonly outputMiB: number;
}

const RUN_LIMITS: RunLimits = { ms: 600_000, memoryMiB: 4096, outputMiB: 64 };

/** Starts a program with less memory; a system that cannot limit it starts it all the same. */
const LIMITED = ['sh', '-c', 'ulimit -v "$0" 2>/dev/null; exec "$@"'];

/** Runs Terraform in the folders of stacks, which it initializes where their providers are others. */
export class StackRunner {
  readonly #initialized = new Map<string, string>();

  constructor(
    private readonly work: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly signal: AbortSignal | undefined,
    private readonly limits = RUN_LIMITS,
  ) {}

  /**
   * Plans a stack and applies the plan, and returns Terraform's graph of that, by which it orders the work.
   *
   * @throws ConnectivityError like {@link StackRunner.run}
   */
  async apply(stack: RehearsedStack): Promise<TerraformRun & { readonly graph: string }> {
    const plan = join(this.work, 'stacks', `${stack.name}.plan`);
    const planned = await this.run(stack, ['plan', `-out=${plan}`]);
    if (planned.status !== 0) return { ...planned, graph: '' };
    const { output: graph } = await this.#execute(stack, ['graph', `-plan=${plan}`]);
    return { ...(await this.run(stack, ['apply'], [plan])), graph };
  }

  /** @throws ConnectivityError `usage.invalid` where it cannot be initialized, or takes more than it may */
  async run(
    stack: RehearsedStack,
    args: readonly string[],
    files: readonly string[] = [],
  ): Promise<TerraformRun> {
    const terraform = object(stack.terraform.blocks.get('terraform')?.body);
    const providers = JSON.stringify(terraform.required_providers ?? {});
    if (this.#initialized.get(stack.name) !== providers) {
      // The base may ask for other versions than the head, so that a lock of before does not count.
      const init = (words: readonly string[]) => this.#execute(stack, words);
      const { status, stderr } = await runInit(init, ['-upgrade', '-no-color']);
      if (status !== 0) {
        throw usageError(
          `Terraform must be able to initialize ${stack.name} without a network; give a folder of its providers with \`--provider-mirror\`, got: ${oneLine(stderr)}`,
        );
      }
      this.#initialized.set(stack.name, providers);
    }
    const flags = ['-json', '-input=false', '-lock=false'];
    const { status, output } = await this.#execute(stack, [...args, ...flags, ...files]);
    // A plan that is not empty ends with another status as well.
    const run = readRun(status, output, args.includes('-detailed-exitcode'));
    const notStarted = run.errors.find((error) => error.startsWith(NOT_STARTED));
    if (notStarted === undefined) return run;
    throw usageError(
      `the providers of ${stack.name} must start on this machine, got: ${notStarted}`,
    );
  }

  async #execute({ name }: RehearsedStack, args: readonly string[]) {
    this.signal?.throwIfAborted();
    const { ms, memoryMiB, outputMiB } = this.limits;
    let child: ChildProcess | undefined;
    // Its end is awaited: Terraform kills the process of a provider that it cannot reach, this one here.
    const abort = () => void child?.kill('SIGTERM');
    this.signal?.addEventListener('abort', abort);
    let excess: string | undefined;
    const end = (of: string) => {
      excess = of;
      child?.kill('SIGKILL');
    };
    const late = setTimeout(end, ms, `${ms / 60_000} minutes`);
    const chunks: Buffer[] = [];
    let bytes = 0;
    const { status } = await runTerraform([`-chdir=${stackFolder(this.work, name)}`, ...args], {
      program: realTerraform(process.env),
      within: [...LIMITED, String(memoryMiB * 1024)],
      env: this.env,
      started: (one) => {
        child = one;
      },
      take: (_, chunk) => {
        bytes += chunk.length;
        if (bytes <= outputMiB * 2 ** 20) chunks.push(chunk);
        else end(`${outputMiB} MiB of output`);
      },
    }).finally(() => {
      clearTimeout(late);
      this.signal?.removeEventListener('abort', abort);
    });
    this.signal?.throwIfAborted();
    const output = Buffer.concat(chunks).toString('utf8');
    if (NO_MEMORY.test(output)) excess = `${memoryMiB} MiB of memory`;
    if (excess === undefined) return { status, output, stderr: output };
    throw usageError(
      `a stack must need little enough of time, memory and output in a rehearsal, got: more than ${excess} for \`terraform ${args[0]}\` of ${name}`,
    );
  }
}

/** Terraform's words for a provider that does not run, which says nothing about a stack. */
const NOT_STARTED = 'Failed to load plugin schemas';

/** The end of a Go program that gets no more memory. */
const NO_MEMORY = /^(?:fatal error|runtime): .*(?:out of memory|cannot (?:allocate|reserve|map))/m;

/** The result of one run of Terraform. */
interface TerraformRun {
  readonly status: number | null;
  /** In Terraform's order, with its word: `create`, `replace`, …; what stays as it is is left out. */
  readonly planned: readonly { readonly address: string; readonly action: string }[];
  /** Errors, each in one line. */
  readonly errors: readonly string[];
  /** True if it has begun to change something. */
  readonly hasBegun: boolean;
}

const MAX_OUTPUT = 2000;

/** Reads what Terraform says of itself. @param mayBeSilent whether it can fail without an error */
function readRun(status: number | null, output: string, mayBeSilent: boolean): TerraformRun {
  const messages = output.split('\n').map((line) => object(parseJson(line)));
  const errors = messages
    .map(({ diagnostic }) => object(diagnostic))
    .filter(({ severity }) => severity === 'error')
    .map(({ address, summary, detail }) =>
      oneLine(`${address ? `${address}: ` : ''}${text(summary)}: ${text(detail)}`),
    );
  const isSilent = status !== 0 && errors.length === 0 && !mayBeSilent;
  return {
    status,
    planned: messages
      .filter(({ type }) => type === 'planned_change')
      .map(({ change }) => object(change))
      .map(({ resource, action }) => ({
        address: text(object(resource).addr),
        action: text(action),
      })),
    errors: isSilent ? [oneLine(output.slice(-MAX_OUTPUT)) || `it ended with ${status}`] : errors,
    hasBegun: messages.some(({ type }) => type === 'apply_start'),
  };
}

function oneLine(output: string): string {
  return redactOthers(output).replaceAll(/\s+/g, ' ').trim();
}
