import { type Row, TABLE } from '../../cloud/table/index.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { ImportTarget } from './import-target.js';

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
  const problems = targets.flatMap((target) => problemsOf(target, addresses));
  if (problems.length > 0) throw new ConnectivityError('usage.invalid', problems.join('\n'));
  return addresses
    .filter((address) => rowOf(address) !== undefined)
    .map((address) => {
      const target = targets.find((one) => one.address === address);
      const id = target?.id ?? `<${idForm(address).join('>|<')}>`;
      const block = `import {\n  to = ${address}\n  id = ${JSON.stringify(id)}\n}\n`;
      return target ? block : block.replaceAll(/^(?=.)/gm, '# ');
    })
    .join('\n');
}

function problemsOf({ address, id }: ImportTarget, addresses: readonly string[]): string[] {
  if (!addresses.includes(address) || rowOf(address) === undefined) {
    return [
      `\`--id\` must name a cloud resource of the stack, got: "${address}"; the command prints them all without --id`,
    ];
  }
  const form = idForm(address);
  const parts = id.split('|');
  const isRight = parts.length === form.length && parts.every((part) => /^[^\s"\\$%]+$/.test(part));
  return isRight ? [] : [`\`--id\` of ${address} must be <${form.join('>|<')}>, got: "${id}"`];
}

function idForm(address: string): readonly string[] {
  return rowOf(address)?.importId ?? [];
}

function rowOf(address: string): Row | undefined {
  const rows: readonly Row[] = TABLE;
  return rows.find(({ kind, type }) => kind === 'resource' && type === address.split('.')[0]);
}
