import { sameValue } from '../../cloud/table/compare.js';
import { findResourceRow } from '../../cloud/table/index.js';
import type { Attribute } from '../../cloud/table/row.js';
import { resourceOf, typeOf } from '../../reach/read/address.js';
import { object } from '../../reach/read/json.js';
import { references, type TerraformResource } from '../../reach/read/terraform-json.js';
import { endOfMoves } from '../effective-rules/moves.js';
import type { Disruption, Finding } from '../report-schema.js';
import type { StackPair } from '../stacks/reviewed-trees.js';
import { findType } from '../types/index.js';

export function findDisruptions({ name: stack, before, was, now: after }: StackPair): Disruption[] {
  const here = new Map(after.resources.map((resource) => [resource.address, resource]));
  const all = (before?.terraform.resources ?? []).filter(({ kind }) => kind === 'resource');
  // A row shows the address that the file of the base has.
  const written = new Set(was.resources.map(({ address }) => address));
  const movedFrom = new Map(
    [...written].map((address) => [endOfMoves(address, after.movedTo), address]),
  );
  const replaced = replacements(all, here);
  return all.flatMap((old): Disruption[] => {
    const now = here.get(old.address);
    const effects = findType(old.type)?.effects;
    if (effects === undefined) return [];
    const { address } = old;
    const resource = written.has(address) ? address : (movedFrom.get(address) ?? address);
    const disruption = { stack, resource, isRefused: false };
    if (now === undefined) {
      return [{ ...disruption, action: 'removed', because: [], effect: effects.removed }];
    }
    const because = replaced.get(now.address) ?? [];
    if (because.length > 0) {
      const effect = effects.replaced;
      const isRefused = object(now.body.lifecycle).prevent_destroy === true;
      return [{ ...disruption, action: 'replaced', because, effect, isRefused }];
    }
    return Object.entries(effects.changed ?? {})
      .filter(([name]) => differs(old.body[name], now.body[name], attributesOf(old)[name]))
      .map(([name, effect]) => ({ ...disruption, action: 'changed', because: [name], effect }));
  });
}

/** Returns which resources Terraform makes anew, and by which attributes: also those that refer to such. */
function replacements(
  all: readonly TerraformResource[],
  here: ReadonlyMap<string, TerraformResource>,
): ReadonlyMap<string, string[]> {
  const replaced = new Map<string, string[]>();
  for (let size = -1; size < replaced.size; ) {
    size = replaced.size;
    for (const old of all) {
      const now = here.get(old.address);
      if (now === undefined || replaced.has(now.address)) continue;
      const because = replacing(old, now, replaced);
      if (because.length > 0) replaced.set(now.address, because);
    }
  }
  return replaced;
}

function replacing(
  old: TerraformResource,
  now: TerraformResource,
  replaced: ReadonlyMap<string, unknown>,
): string[] {
  return Object.entries(attributesOf(old)).flatMap(([name, attribute]) => {
    if (attribute.replaces !== true || now.body[name] === undefined) return [];
    const isNew = references(now.body[name]).some(
      (address) => replaced.has(address) || replaced.has(resourceOf(address)),
    );
    return isNew || differs(old.body[name], now.body[name], attribute) ? [name] : [];
  });
}

function attributesOf({ type }: TerraformResource): Readonly<Record<string, Attribute>> {
  return findResourceRow(type)?.attributes ?? {};
}

/** One that is no longer given keeps its value where the cloud fills it in. */
function differs(old: unknown, now: unknown, attribute: Attribute | undefined): boolean {
  return (now !== undefined && !sameValue(attribute, old, now)) || !sameValue(attribute, now, old);
}

export function disruptionFinding(disruption: Disruption): Finding {
  const { stack, resource, action, because, effect, isRefused } = disruption;
  const isCut = action !== 'changed' && findType(typeOf(resource))?.effects.cutsAll === true;
  return {
    kind: 'disruption',
    decision: isCut ? 'needs-approval' : 'no-change',
    stack,
    resource,
    who: '',
    what: because.join(', '),
    identity: [action, ...because],
    before: 'deployed',
    after: action,
    consequence: isRefused ? `${effect}; Terraform refuses it while preventDestroy is set` : effect,
  };
}
