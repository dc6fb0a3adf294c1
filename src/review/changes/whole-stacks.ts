import { counted } from '../../lists/counted.js';
import { groupBy } from '../../lists/group-by.js';
import type { SynthesizedStack, SynthesizedTree } from '../../reach/read/read-tree.js';
import { fingerprint } from '../../reach/read/terraform-json.js';
import { join } from '../packet-changes.js';
import { type Finding, worstDecision } from '../report-schema.js';
import type { StackPair } from '../stacks/reviewed-trees.js';
import { CLAIM } from './claims.js';

/**
 * Tells a stack that is new, gone or renamed as that, once: the rows that follow from it alone become one. Rows
 * that open something, or that a review cannot read in a new stack, stay.
 *
 * @param pairs of stacks, a renamed one with what it was
 */
export function foldWholeStacks(
  findings: readonly Finding[],
  pairs: readonly StackPair[],
  renames: readonly StackRename[],
): Finding[] {
  const byStack = groupBy(findings, ({ stack }) => stack);
  const own = (stack: string): readonly Finding[] => byStack.get(stack) ?? [];
  const folded = new Map<string, readonly Finding[]>();
  for (const rename of renames) {
    folded.set(rename.to, [renamedFinding(rename), ...own(rename.to)]);
  }
  for (const { name, before, after } of pairs) {
    if (after === undefined) folded.set(name, foldRemoved(name, own(name)));
    else if (before === undefined) folded.set(name, foldNew(name, own(name)));
  }
  return [...new Set([...byStack.keys(), ...folded.keys()])].flatMap(
    (stack) => folded.get(stack) ?? own(stack),
  );
}

/** The end of a stack can open something: a firewall that it had denies nothing any more. */
function opens({ kind, decision, packet = '' }: Finding): boolean {
  if (decision === 'forbidden' || kind === 'policy') return true;
  return decision === 'needs-approval' && (kind === 'access' || packet !== '');
}

function foldRemoved(stack: string, own: readonly Finding[]): Finding[] {
  const gone = own.filter((finding) => !opens(finding));
  if (gone.length === 0) return [...own];
  const accesses = gone.filter(({ kind }) => kind === 'access').length;
  const cut = gone.filter(isCutConnection).length;
  const more = join(
    ', ',
    accesses > 0 ? counted(accesses, 'access closes', 'accesses close') : '',
    cut > 0 ? counted(cut, 'connection is cut', 'connections are cut') : '',
  );
  const consequence = join(': ', `stack ${stack} is removed`, more);
  return [wholeStack(stack, gone, 'removed', consequence), ...own.filter(opens)];
}

const CONNECTION = /^volcenginecc_privatelink_vpc_endpoint(?:_connection)?\./;

function isCutConnection({ kind, resource }: Finding): boolean {
  return kind === 'disruption' && CONNECTION.test(resource);
}

/** Keeps the rows of what a new stack opens, runs or hides; its values are in the row that says that it is new. */
function foldNew(stack: string, own: readonly Finding[]): Finding[] {
  const [parts, others] = [own.filter(isPartOfNew), own.filter((one) => !isPartOfNew(one))];
  if (parts.length === 0) return others;
  const values = parts.map(({ what, after }) =>
    after.startsWith(`${what}: `) ? after : `${what}: ${after}`,
  );
  const consequence = join(': ', `stack ${stack} is new`, [...new Set(values)].join('; '));
  return [wholeStack(stack, parts, 'created', consequence), ...others];
}

const PARTS = ['destination', 'control', 'safeguard'];

function isPartOfNew({ kind, decision, before, packet, code, identity }: Finding): boolean {
  const isPart = PARTS.includes(kind) && before === 'none' && packet === undefined;
  return isPart && decision !== 'forbidden' && code === undefined && identity[0] !== CLAIM;
}

/** The row of a stack, with the content of all rows that it stands for in its fingerprint. */
function wholeStack(
  stack: string,
  rows: readonly Finding[],
  after: 'created' | 'removed',
  consequence: string,
): Finding {
  const identities = rows.map(({ kind, resource, identity }) => [kind, resource, identity]);
  return {
    kind: after === 'created' ? 'control' : 'disruption',
    decision: worstDecision(rows.map(({ decision }) => decision)),
    ...{ ...WHOLE_STACK, stack },
    identity: [after, fingerprint(identities.map((one) => JSON.stringify(one)).sort())],
    ...{ before: after === 'created' ? 'none' : 'deployed', after, consequence },
  };
}

/** Leaves out what is told of a removed resource beside the row that says what its end cuts. */
export function withoutTwice(findings: readonly Finding[]): Finding[] {
  const place = ({ stack, resource }: Finding) => JSON.stringify([stack, resource]);
  const cut = new Set(
    findings
      .filter((one) => one.kind === 'disruption' && one.after === 'removed')
      .filter(({ decision }) => decision === 'needs-approval')
      .map(place),
  );
  return findings.filter(
    (one) => one.kind !== 'destination' || one.after !== 'none' || !cut.has(place(one)),
  );
}

/** The parts that all rows about a whole stack have. */
const WHOLE_STACK = { resource: 'stack', who: '', what: 'the stack' };

/** Such a share of all values is the same in a stack that looks renamed. */
const ALIKE = 0.8;

/** A stack under its old name and its new one. */
export interface StackRename {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds the stacks that are gone while a new one says nearly the same: they look renamed, which
 * Terraform does not know.
 */
export function findRenamedStacks(base: SynthesizedTree, head: SynthesizedTree): StackRename[] {
  const only = (tree: SynthesizedTree, other: SynthesizedTree) =>
    [...tree.values()].filter(({ name }) => !other.has(name));
  const [gone, added] = [only(base, head), only(head, base)];
  if (gone.length === 0 || added.length === 0) return [];
  const here = added.map((stack) => ({ name: stack.name, values: valuesOf(stack) }));
  const all = gone.flatMap((stack) => {
    const values = valuesOf(stack);
    return here.map((to) => ({
      ...{ from: stack.name, to: to.name },
      share: shareOf(values, to.values),
    }));
  });
  const taken = new Set<string>();
  return all
    .filter(({ share }) => share >= ALIKE)
    .sort((a, b) => b.share - a.share)
    .flatMap(({ from, to }) => {
      // Each name is that of a stack before or of one after, never of both.
      if (taken.has(from) || taken.has(to)) return [];
      taken.add(from).add(to);
      return [{ from, to }];
    });
}

/** The tree under the names that its stacks have after a change: what is compared then is what they say. */
export function followRenames(
  tree: SynthesizedTree,
  renames: readonly StackRename[],
): SynthesizedTree {
  const names = new Map(renames.map(({ from, to }) => [from, to]));
  const nameOf = (from: string) => names.get(from) ?? from;
  return new Map(
    [...tree].map(([from, stack]) => {
      const name = nameOf(from);
      const dependencies = stack.dependencies?.map(nameOf);
      return [name, { ...stack, name, ...(dependencies && { dependencies }) }];
    }),
  );
}

function renamedFinding({ from, to }: StackRename): Finding {
  return {
    kind: 'disruption',
    decision: 'needs-approval',
    ...{ ...WHOLE_STACK, stack: to, identity: ['renamed', from], before: from, after: to },
    consequence: `${from} looks renamed to ${to}: Terraform destroys ${from} and creates ${to}`,
  };
}

/** Every value of every resource with its place, but for the name of the stack. */
function valuesOf({ name, terraform: { resources } }: SynthesizedStack): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (place: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      for (const [key, one] of Object.entries(value)) add(isList ? place : `${place}.${key}`, one);
    } else found.add(`${place}=${String(value)}`.replaceAll(name, ''));
  };
  for (const { address, body } of resources) add(address, body);
  return found;
}

/** The share of the values of both that are in both. */
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((value) => b.has(value)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 0 : common / all;
}
