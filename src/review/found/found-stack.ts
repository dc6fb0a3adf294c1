import { findResourceRow } from '../../cloud/table/index.js';
import { resourceOf } from '../../reach/read/address.js';
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
 * the stack's own, and so no change.
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
  const there = (renamed.get(head.name)?.terraform ?? all).resources;
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
        saysSame(value, one.body[name]),
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
      [text, values.body[name]].some((one) => saysSame(one, value));
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

/**
 * Tells whether the cloud's value is one that the code's can stand for: lists are sets, and of objects
 * the members count that the code states.
 */
function saysSame(code: unknown, found: unknown): boolean {
  if (isUnknown(code)) {
    const [address, other] = [references(code)[0], references(found)[0]];
    return (
      other === undefined ||
      address === undefined ||
      address === other ||
      // An instance of it.
      resourceOf(other) === address
    );
  }
  if (Array.isArray(code)) {
    if (!Array.isArray(found) || found.length !== code.length) return false;
    const left: unknown[] = [...found];
    return code.every((member) => {
      const at = left.findIndex((one) => saysSame(member, one));
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
  }
  const members = object(code);
  if (members === code) {
    return Object.entries(members).every(([name, one]) => saysSame(one, object(found)[name]));
  }
  return text(code) === text(found);
}

/** JSON has numbers where Terraform takes their text, and nothing for an empty one. */
function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}
