import { relative, resolve } from 'node:path';
import { App, LocalBackend, TerraformBackend, TerraformStack } from 'cdktf';
import type { Settings } from '../settings/schema.js';

/**
 * Keeps a stack's Terraform state where the settings say. A local state is named by the stack's id,
 * and its path is relative to the folder that Terraform runs in: no path of a machine gets into the
 * synthesized stack.
 *
 * @param folder in place of the local folder of the settings, for a sandbox of its own
 */
export function keepState(
  stack: TerraformStack,
  state: Settings['state'],
  folder: string | undefined = process.env.CONNECTIVITY_STATE_FOLDER,
): TerraformBackend {
  if (state.backend !== 'local') return new ConfiguredBackend(stack, state.backend, state.config);
  const workingFolder = resolve(App.of(stack).outdir, 'stacks', stack.node.id);
  const file = resolve(folder ?? state.folder, `${stack.node.id}.tfstate`);
  return new LocalBackend(stack, { path: relative(workingFolder, file) });
}

class ConfiguredBackend extends TerraformBackend {
  readonly #config: Readonly<Record<string, unknown>>;

  constructor(stack: TerraformStack, name: string, config: Readonly<Record<string, unknown>>) {
    super(stack, 'backend', name);
    this.#config = config;
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.#config };
  }

  getRemoteStateDataSource(): never {
    throw new TypeError(
      `${TerraformStack.of(this).node.id}: stacks do not read each other's state`,
    );
  }
}
