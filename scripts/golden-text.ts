import { join, relative, resolve, sep } from 'node:path';
import { packetRule, peerName } from '../src/reach/packet-rule.js';
import { object } from '../src/reach/read/json.js';
import type { SynthesizedStack } from '../src/reach/read/read-tree.js';
import { servicesText } from '../src/reach/sets/services.js';
import { folderDigest } from '../src/review/stacks/digest.js';

/**
 * A stack as a reviewer reads it: who may talk to whom, then each resource with what is written of
 * it, then the outputs. Sets are in one order, and nothing in it depends on the machine.
 *
 * @param tree the folder that the stack was synthesized to: paths in the stack start from it
 */
export function goldenText(stack: SynthesizedStack, tree: string): string {
  const { name, access, terraform } = stack;
  const outputs = Object.entries(terraform.outputs)
    .map(([output, body]) => [output, object(body).value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const folder = join(tree, 'stacks', name);
  const write = writer(outputs, folder);
  return [
    `stack ${name}`,
    '',
    `access ${access?.digest ?? 'not stated'}`,
    ...accessLines(stack),
    `opened by Terraform ${folderDigest(folder)}`,
    '',
    ...terraform.resources.flatMap(({ address, body }) => [
      address,
      ...Object.entries(body)
        .filter(([attribute]) => attribute !== '//')
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([attribute, value]) => attributeLines(attribute, value, write)),
      '',
    ]),
    'outputs',
    ...outputs.map(([output, value]) => `  ${output} = ${writer([], folder)(value)}`),
    '',
  ].join('\n');
}

function accessLines({ name, access, terraform }: SynthesizedStack): string[] {
  const own = new Set(terraform.resources.map(({ address }) => address));
  return (access?.rules ?? []).map((raw) => {
    const { via, direction, subject, peer, services, reason, exception } = packetRule(
      name,
      raw,
      own,
    );
    const side = direction === 'ingress' ? 'from' : 'to';
    const line = `  ${via} ${direction} ${subject} ${side} ${peerName(peer)} on ${servicesText(services)}: ${reason}`;
    return exception === undefined
      ? line
      : `${line} [exception until ${exception.expires}, ${exception.owner}: ${exception.reason}]`;
  });
}

type Write = (value: unknown) => string;

function attributeLines(attribute: string, value: unknown, write: Write): string[] {
  if (!Array.isArray(value)) return [`  ${attribute} = ${write(value)}`];
  const members = value.map(write);
  const ordered = attribute === 'provisioner' ? members : members.sort();
  return [`  ${attribute}`, ...ordered.map((member) => `    ${member}`)];
}

/** Writes values with their members by name; the values of outputs, written out below, by name. */
function writer(
  outputs: readonly (readonly [name: string, value: unknown])[],
  folder: string,
): Write {
  const write: Write = (value) => {
    const output = outputs.find(([, known]) => known === value);
    if (output !== undefined) return `<output ${output[0]}>`;
    if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
    if (typeof value === 'string' && value.startsWith('../')) return place(folder, value);
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{ ${members.map(([name, member]) => `${name}: ${write(member)}`).join(', ')} }`;
  };
  return write;
}

/** A path of the stack, as one that starts from the project. */
function place(folder: string, path: string): string {
  return `<project>/${relative(process.cwd(), resolve(folder, path)).split(sep).join('/')}`;
}
