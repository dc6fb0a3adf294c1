import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../../codes/connectivity-error.js';
import { redact } from '../../codes/redact.js';
import { object, text } from '../../review/read/json.js';
import type { Json, JsonObject } from '../../sandbox/json.js';
import {
  OVERRIDE_FILE,
  overridingBlocks,
  sandboxState,
} from '../../sandbox/terraform/sandbox-backend.js';
import { terraformName } from '../../terraform/program.js';
import type { RehearsedStack, RehearsedTree } from '../read-trees.js';

/** What Terraform writes into a stack's folder. */
const TERRAFORMS_OWN = /^\.terraform|\.tfstate\b|^(plan|crash\.log)$/;

/** Where a rehearsal, in its folder, keeps a stack. */
export function stackFolder(work: string, name: string): string {
  return join(work, 'stacks', name);
}

/** Where it keeps the stack's state. */
export function stateFile(work: string, name: string): string {
  return join(work, 'states', `${name}.tfstate`);
}

/**
 * Puts a stack into its working folder, in place of what was there: on a state of the rehearsal, and
 * without provisioners, so that no program of a tree is run.
 *
 * @param mayBeDestroyed whether `prevent_destroy` is left out too
 */
export function placeStack(
  work: string,
  stack: RehearsedStack,
  tree: RehearsedTree,
  { mayBeDestroyed = false } = {},
): void {
  const target = stackFolder(work, stack.name);
  clear(target);
  cpSync(stack.folder, target, {
    recursive: true,
    dereference: true,
    filter: (from) => !TERRAFORMS_OWN.test(from.slice(stack.folder.length + 1)),
  });
  for (const name of readdirSync(target).filter((one) => one.endsWith('.tf.json'))) {
    const file = join(target, name);
    const json = JSON.parse(readFileSync(file, 'utf8'), (key, value: Json) => {
      if (key === 'provisioner' || (key === 'prevent_destroy' && mayBeDestroyed)) return undefined;
      return value;
    });
    writeFileSync(file, JSON.stringify(json));
  }
  const override = JSON.stringify(ownStates(work, stack, tree));
  writeFileSync(join(target, OVERRIDE_FILE), override);
}

/** What `terraform init` wrote: the providers of a stack stay initialized, and locked. */
const INITIALIZED = ['.terraform', '.terraform.lock.hcl'];

function clear(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((one) => !INITIALIZED.includes(one))) {
    rmSync(join(folder, name), { recursive: true });
  }
}

/** The backend of a stack, and of each stack of the tree whose state it reads. */
function ownStates(work: string, stack: RehearsedStack, tree: RehearsedTree): JsonObject {
  const names = new Map(
    tree.map(({ folder, name }) => [sandboxState(folder, work), stateFile(work, name)]),
  );
  const { data } = overridingBlocks(stack.folder, work);
  const terraform = { backend: { local: { path: stateFile(work, stack.name) } } };
  return JSON.parse(JSON.stringify({ terraform, data }), (key, value: Json) =>
    key === 'path' && typeof value === 'string' ? (names.get(value) ?? value) : value,
  );
}

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

/** What one run of Terraform came to. */
interface TerraformRun {
  readonly status: number | null;
  /** In Terraform's order, with its word: `create`, `replace`, …; what stays as it is is left out. */
  readonly planned: readonly { readonly address: string; readonly action: string }[];
  /** Errors, each in one line. */
  readonly errors: readonly string[];
  /** Whether it has begun to change something. */
  readonly hasBegun: boolean;
}

const MOST_OUTPUT = 2000;

/** Reads what Terraform says of itself. @param mayBeSilent whether it can fail without an error */
function readRun(status: number | null, output: string, mayBeSilent: boolean): TerraformRun {
  const messages = output.split('\n').map(readMessage);
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
    errors: isSilent ? [oneLine(output.slice(-MOST_OUTPUT)) || `it ended with ${status}`] : errors,
    hasBegun: messages.some(({ type }) => type === 'apply_start'),
  };
}

function readMessage(line: string): ReturnType<typeof object> {
  try {
    return object(JSON.parse(line));
  } catch {
    return {};
  }
}

function oneLine(output: string): string {
  return redact(output).replaceAll(/\s+/g, ' ').trim();
}
