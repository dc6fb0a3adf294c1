import { sameValue } from '../../cloud/table/compare.js';
import { findResourceRow } from '../../cloud/table/index.js';
import { identifierReference, resourceOf } from '../../reach/read/address.js';
import { isUnknown, type Json, object } from '../../reach/read/json.js';
import type { SynthesizedStack } from '../../reach/read/read-tree.js';
import { resolveStack } from '../../reach/read/resolve.js';
import {
  NO_TERRAFORM,
  references,
  type TerraformResource,
  type TerraformStackJson,
} from '../../reach/read/terraform-json.js';
import { followMoves } from '../stacks/reviewed-trees.js';
import { findModel } from '../types/index.js';

/**
 * The base of a review that is no tree: the objects that a state or the cloud has of a stack, in the
 * words of the stack where both say the same. What neither holds (programs, providers, outputs) is
 * the stack's own, and so no change; nor is what its modules have made, for no review reads modules.
 *
 * @param deployed the objects of the state, for those that are not the cloud's
 */
export function foundStack(
  head: SynthesizedStack,
  found: TerraformStackJson,
  deployed: TerraformStackJson = NO_TERRAFORM,
): SynthesizedStack {
  const others = deployed.resources.filter(({ type }) => findResourceRow(type) === undefined);
  const all = { ...found, resources: [...found.resources, ...others] };
  const renamed = followMoves(
    new Map([[head.name, { name: head.name, terraform: all }]]),
    new Map([[head.name, head]]),
  );
  const byAddress = (stack: TerraformStackJson) =>
    new Map(stack.resources.map((resource) => [resource.address, resource]));
  const [written, resolved] = [byAddress(head.terraform), byAddress(resolveStack(head.terraform))];
  const isRead = ({ address }: TerraformResource) =>
    !head.terraform.blocks.has(/^module\.[^.[]+/.exec(address)?.[0] ?? '');
  const there = (renamed.get(head.name)?.terraform ?? all).resources.filter(isRead);
  const resources = foldInstances(there, written).map((one) => {
    const [code, values] = [written.get(one.address), resolved.get(one.address)];
    return { ...one, body: code && values ? asWritten(code, values, one) : settable(one) };
  });
  const data = head.terraform.resources.filter(({ kind }) => kind === 'data');
  const terraform = { ...head.terraform, resources: [...resources, ...data] };
  const { isUnnamed: _, ...own } = head;
  return { ...own, terraform, isFound: true };
}

/**
 * Makes one of the instances of a resource with `count` or `for_each`, as the code has it, if each is what
 * the code says and there are as many; otherwise each is a resource of its own.
 */
function foldInstances(
  found: readonly TerraformResource[],
  written: ReadonlyMap<string, TerraformResource>,
): TerraformResource[] {
  const left = new Set(found);
  const folded = [...written.values()].filter((code) => {
    const { count, for_each: each, ...body } = code.body;
    if (count === undefined && each === undefined) return false;
    const own = found.filter(
      ({ address }) => resourceOf(address) === code.address && !written.has(address),
    );
    const number = typeof each === 'object' ? Object.keys(object(each)).length : count;
    const isAll = own.length > 0 && (isUnknown(number ?? each) || own.length === Number(number));
    const isAsWritten = own.every((one) =>
      Object.entries(settable({ ...code, body })).every(([name, value]) =>
        sameValue(findResourceRow(code.type)?.attributes[name], value, one.body[name], saysSame),
      ),
    );
    if (!isAll || !isAsWritten) return false;
    for (const one of own) left.delete(one);
    return true;
  });
  return [...left, ...folded];
}

/** The code's own text for each attribute that has the value of the code, else the value that was found. */
function asWritten(code: TerraformResource, values: TerraformResource, found: TerraformResource) {
  const attributes = findResourceRow(code.type)?.attributes;
  if (attributes === undefined) return code.body;
  const body: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(code.body)) {
    const [attribute, value] = [attributes[name], found.body[name]];
    const isSame =
      attribute === undefined ||
      attribute.writeOnly === true ||
      [text, values.body[name]].some((one) => sameValue(attribute, one, value, saysSame));
    if (isSame) body[name] = text;
    else if (value !== undefined && value !== null) body[name] = value;
  }
  // Of what the code leaves open, only what lets packets through counts.
  for (const name of findModel(code)?.access ?? []) body[name] ??= found.body[name];
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** Returns a resource without what only the cloud sets: no configuration has it. */
export function settable({ type, body }: TerraformResource): Json {
  const attributes = findResourceRow(type)?.attributes;
  if (attributes === undefined) return body;
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => {
      const mode = attributes[name]?.mode;
      return mode !== undefined && mode !== 'computed';
    }),
  );
}

/** An identifier in code stands for its resource or an instance of it; any other expression for whatever there is. */
function saysSame(code: unknown, found: unknown): boolean | undefined {
  if (!isUnknown(code)) return undefined;
  const [address, other] = [references(code)[0], references(found)[0]];
  if (address === undefined) return true;
  if (other !== undefined) return address === other || resourceOf(other) === address;
  return identifierReference(code) === undefined || address.startsWith('data.') || !found;
}
