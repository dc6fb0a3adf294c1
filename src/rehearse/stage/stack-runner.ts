import { ConnectivityError } from '../../codes/connectivity-error.js';
import { object } from '../../review/read/json-values.js';
import type { RehearsedStack } from '../read-trees.js';
import type { DeployResult } from '../report-schema.js';
import { runTerraform, type TerraformRun } from './terraform-run.js';
import { stackFolder, type WorkingFolder } from './working-stack.js';

/** Runs Terraform in the folders of stacks, which it initializes where their providers are others. */
export class StackRunner {
  readonly #initialized = new Map<string, string>();
  #kill = () => {};

  constructor(
    private readonly work: WorkingFolder,
    private readonly env: Readonly<Record<string, string>>,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** @throws ConnectivityError `usage.invalid` where it cannot be initialized */
  async run(stack: RehearsedStack, args: readonly string[]): Promise<TerraformRun> {
    const folder = stackFolder(this.work, stack.name);
    const onStart = (kill: () => void) => {
      this.#kill = kill;
    };
    const options = { env: this.env, signal: this.signal, onStart };
    const terraform = object(stack.terraform.blocks.get('terraform')?.body);
    const providers = JSON.stringify(terraform.required_providers ?? {});
    if (this.#initialized.get(stack.name) !== providers) {
      // The base may ask for other versions than the head, so that a lock of before does not count.
      const { errors } = await runTerraform(folder, ['init', '-upgrade'], options);
      if (errors.length > 0) throw cannotInitialize(stack, errors);
      this.#initialized.set(stack.name, providers);
    }
    return runTerraform(folder, args, options);
  }

  /** Ends the Terraform that runs, at once. */
  kill(): void {
    this.#kill();
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

function cannotInitialize({ name }: RehearsedStack, errors: readonly string[]): ConnectivityError {
  return new ConnectivityError(
    'usage.invalid',
    `Terraform must be able to initialize ${name} without a network; give a folder of its providers with \`--provider-mirror\`, got: ${errors.join('; ')}`,
  );
}
