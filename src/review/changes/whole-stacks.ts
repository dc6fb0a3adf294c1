import { counted } from '../../lists/counted.js';
import { groupBy } from '../../lists/group-by.js';
import { fingerprint } from '../../reach/read/terraform-json.js';
import { join } from '../packet-changes.js';
import { type Finding, worstDecision } from '../report-schema.js';
import type { StackPair } from '../stacks/reviewed-trees.js';
import { CLAIM } from './claims.js';
import { renamedFinding, type StackRename } from './renamed-stacks.js';

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
    ...{ stack, resource: 'stack', who: '', what: 'the stack' },
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
