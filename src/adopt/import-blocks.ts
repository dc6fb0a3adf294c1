import { findResourceRow } from '../cloud/table/index.js';
import { usageError } from '../codes/connectivity-error.js';
import { readStackFile, resourcesByAddress } from '../terraform/configuration-files.js';

/** A resource to adopt. */
export interface ImportTarget {
  /** The address in Terraform: `volcenginecc_vpc_vpc.network`. */
  readonly address: string;
  /** The id of what exists; parts joined with `|`. */
  readonly id: string;
}

/**
 * Import blocks for the resources of a stack: a block where the id is given, a comment with the
 * form of the id elsewhere.
 *
 * @throws ConnectivityError `usage.invalid` for an address that the stack lacks, or an id of another form
 */
export function importBlocks(
  addresses: readonly string[],
  targets: readonly ImportTarget[],
): string {
  const forms = new Map(
    addresses.flatMap((address) => {
      const row = findResourceRow(address.split('.')[0] ?? '');
      return row === undefined ? [] : [[address, row.importId]];
    }),
  );
  const problems = targets.flatMap((target) => checkTarget(target, forms.get(target.address)));
  if (problems.length > 0) throw usageError(problems.join('\n'));
  return [...forms]
    .map(([address, form]) => {
      const target = targets.find((one) => one.address === address);
      const id = target?.id ?? `<${form.join('>|<')}>`;
      const block = `import {\n  to = ${address}\n  id = ${JSON.stringify(id)}\n}\n`;
      return target ? block : block.replaceAll(/^(?=.)/gm, '# ');
    })
    .join('\n');
}

/** @param form of the address's id; undefined where the stack has no such resource of the cloud */
function checkTarget({ address, id }: ImportTarget, form: readonly string[] | undefined): string[] {
  if (form === undefined) {
    return [
      `\`--id\` must name a cloud resource of the stack, got: "${address}"; the command prints them all without --id`,
    ];
  }
  const parts = id.split('|');
  const isRight = parts.length === form.length && parts.every((part) => /^[^\s"\\$%]+$/.test(part));
  return isRight ? [] : [`\`--id\` of ${address} must be <${form.join('>|<')}>, got: "${id}"`];
}

/**
 * The addresses of a synthesized stack's resources.
 *
 * @param folder holds the stack's `cdk.tf.json`
 * @throws ConnectivityError `usage.invalid`
 */
export function readStack(folder: string): string[] {
  try {
    return [...resourcesByAddress(readStackFile(folder)).keys()];
  } catch (cause) {
    throw usageError(
      `\`<stack>\` must be a synthesized stack with a cdk.tf.json, got: "${folder}"; run secure-connectivity synth`,
      cause,
    );
  }
}
