import type { InvalidConfiguration, Step } from './invalid-configurations.js';
import type { Stack, StandInTerraform } from './stand-in-terraform.js';

interface Diagnostic {
  readonly severity: string;
  readonly address?: string;
  readonly snippet?: { readonly context?: string | null };
}

const STEPS = [
  ['validate', ['validate', '-json']],
  ['plan', ['plan', '-json']],
  ['apply', ['apply', '-json', '-auto-approve', '-parallelism=40']],
] as const;

/**
 * The step at which Terraform refuses each configuration. All are in one configuration; what one step
 * refuses is taken out before the next, so that three runs are enough.
 */
export async function findSteps(
  terraform: StandInTerraform,
  all: readonly InvalidConfiguration[],
): Promise<Step[]> {
  const found = new Map<number, Step>();
  const stack = await terraform.stack({});
  for (const [step, args] of STEPS) {
    stack.write({ resource: blocks(all, found) });
    for (const name of await refusedNames(stack, args)) found.set(Number(name.slice(1)), step);
  }
  return all.map((_, index) => found.get(index) ?? 'accepted');
}

function blocks(all: readonly InvalidConfiguration[], without: ReadonlyMap<number, Step>) {
  const resource: Record<string, Record<string, object>> = {};
  for (const [index, { type, body }] of all.entries()) {
    if (!without.has(index)) resource[type] = { ...resource[type], [`c${index}`]: body };
  }
  return resource;
}

async function refusedNames(stack: Stack, args: readonly string[]): Promise<string[]> {
  const { stdout } = await stack.run(args);
  return diagnosticsIn(stdout)
    .filter(({ severity }) => severity === 'error')
    .map(({ address, snippet }) => {
      const name = /\.(c\d+)$/.exec(address ?? snippet?.context ?? '')?.[1];
      if (name === undefined) throw new Error(`an error of no resource: ${stdout}`);
      return name;
    });
}

/** `validate` prints one object, the others a line for each event. */
function diagnosticsIn(output: string): Diagnostic[] {
  if (output.startsWith('{\n')) return JSON.parse(output).diagnostics;
  return output
    .split('\n')
    .filter((line) => line.includes('"type":"diagnostic"'))
    .map((line) => JSON.parse(line).diagnostic);
}
