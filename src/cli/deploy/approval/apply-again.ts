import { isDeepStrictEqual } from 'node:util';
import { vpcSecurityGroup } from '../../../cloud/table/vpc.js';
import { NOT_FOUND, REFUSED_NOW, SERVER_ERROR } from '../../../cloud-control/transport.js';
import { isObject } from '../../../files/json.js';
import {
  isMarked,
  type PlanJson,
  planSchema,
  type ResourceChange,
} from '../../../terraform/plan-json.js';
import type { ChangingStack } from '../../../terraform/terraform-folder.js';

/** Reads the changes of a plan, without those that do nothing. @throws ConnectivityError `terraform.failed` */
export async function readChanges(stack: ChangingStack, planFile: string) {
  const { runOrThrow } = await import('../../../terraform/commands.js');
  const text = await runOrThrow(stack, ['show', '-json', planFile]);
  const { resource_changes: changes }: PlanJson = planSchema.parse(JSON.parse(text));
  return changes.filter(
    ({ mode, change: { actions } }) =>
      mode === 'managed' && actions.some((action) => action !== 'no-op' && action !== 'read'),
  );
}

/** Tells whether a change does nothing that the approved ones did not: the same, or a part of it. */
export function isApproved(again: ResourceChange, approved: readonly ResourceChange[]): boolean {
  const { actions, after } = again.change;
  return approved.some(({ address, change }) => {
    const isPart = actions.every((action) => change.actions.includes(action));
    if (address !== again.address || !isPart) return false;
    // What was not known when it was approved follows from what was.
    const open = change.after_unknown ?? {};
    return Object.entries(after ?? {}).every(
      ([name, value]) => isMarked(open[name]) || isDeepStrictEqual(value, change.after?.[name]),
    );
  });
}

const RULES = 'egress_permissions';
const EVERYONE: readonly unknown[] = ['0.0.0.0/0', '::/0'];

/**
 * Tells whether a change only takes from a security group, which the approved changes made, the rule that
 * the cloud was seen to leave in a new one (`group-default-rule`).
 */
export function takesDefaultRule(
  { address, type, change: { actions, before, after } }: ResourceChange,
  approved: readonly ResourceChange[],
): boolean {
  const isMade = approved.some(
    (one) => one.address === address && one.change.actions.includes('create'),
  );
  if (type !== vpcSecurityGroup.type || !isMade || !isDeepStrictEqual(actions, ['update'])) {
    return false;
  }
  const [had, has] = [readRules(before), readRules(after)];
  const gone = had.filter((rule) => !has.some((one) => isDeepStrictEqual(one, rule)));
  const isSame = isDeepStrictEqual({ ...before, [RULES]: null }, { ...after, [RULES]: null });
  return isSame && had.length === has.length + gone.length && gone.every(isDefaultRule);
}

function readRules(group: ResourceChange['change']['after']): unknown[] {
  const rules = group?.[RULES];
  return Array.isArray(rules) ? rules : [];
}

function isDefaultRule(rule: unknown): boolean {
  if (!isObject(rule)) return false;
  const { policy, protocol, priority, cidr_ip: peer } = rule;
  return (
    EVERYONE.includes(peer) && policy === 'accept' && protocol === 'all' && Number(priority) === 100
  );
}

/** The reason why an apply failed, where a new one may not. */
export interface Refusal {
  /** The cloud's word for it. */
  readonly word: string;
  /** Something may have been made all the same, and not be in the state: only a conflict and what is absent make nothing. */
  readonly mayBeDone: boolean;
  /** Something was not there, or not to be seen yet. */
  readonly isAbsent: boolean;
}

const KINDS = [REFUSED_NOW, SERVER_ERROR, NOT_FOUND];

/** Returns why the cloud refused everything that failed; undefined where something failed otherwise. */
export function refusedNow(stderr: string): Refusal | undefined {
  const [, ...errors] = stderr.split(/^[\s│]*Error: /m);
  const words = errors.flatMap((error) => wordOf(error) ?? []);
  const [word] = words;
  if (word === undefined || words.length < errors.length) return undefined;
  const isAbsent = words.some((one) => NOT_FOUND.test(one));
  return { word, mayBeDone: !words.every(makesNothing), isAbsent };
}

/** A check that fails prints texts of others, and is no refusal of the cloud. */
function wordOf(error: string): string | undefined {
  if (error.startsWith('local-exec')) return undefined;
  return KINDS.flatMap((kind) => kind.exec(error)?.[1] ?? [])[0];
}

/** Tells whether nothing can have been made: what is throttled may be the question how a task ended. */
function makesNothing(word: string): boolean {
  return word === 'InvalidOperation.Conflict' || NOT_FOUND.test(word);
}
