import { TerraformOutput, TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';

/**
 * Outputs of a stack, under a construct's name: what a person pastes or attaches somewhere.
 *
 * @param values text by name; those that are undefined are left out
 */
export function outputs(
  of: Construct,
  values: Readonly<Record<string, { readonly value: string | undefined; readonly about: string }>>,
): void {
  for (const [name, { value, about }] of Object.entries(values)) {
    if (value === undefined) continue;
    new TerraformOutput(TerraformStack.of(of), `${nameInStack(of)}-${name}`, {
      value,
      description: about,
    });
  }
}

/** A construct's name in its stack: its id, after those of the constructs that it is part of. */
export function nameInStack(construct: Construct): string {
  const outer = TerraformStack.of(construct).node.path;
  return construct.node.path.slice(outer.length + 1).replaceAll('/', '-');
}
