import * as z from 'zod';
import { findResourceRow } from '../../cloud/table/index.js';
import type { Attribute } from '../../cloud/table/row.js';
import { groupBy } from '../../lists/group-by.js';
import type { SynthesizedTree } from '../../reach/read/read-tree.js';
import { resolveStack } from '../../reach/read/resolve.js';
import {
  fingerprint,
  type TerraformResource,
  type TerraformStackJson,
} from '../../reach/read/terraform-json.js';
import { type EffectiveFlow, toValues } from '../../reach/rules/reading.js';
import { type Region, toRegion } from '../../reach/sets/region.js';
import {
  type EffectiveAccess,
  readAttributes,
  readEffectiveAccess,
} from '../effective-rules/effective-access.js';
import { effectiveDigest } from '../stacks/digest.js';
import { describeDisagreement } from '../stacks/disagreement.js';
import { type ReviewedStack, reviewedTree } from '../stacks/reviewed-trees.js';

const whole = z.string().regex(/^\d+$/).describe('a whole number, as text: addresses are large');
const services = z.array(z.strictObject({ first: z.int().min(0), last: z.int().min(0) }));

const cell = z.strictObject({
  carrier: z.string().describe('the object that has the rules'),
  direction: z.string(),
  peer: z.union([
    z.strictObject({ kind: z.literal('addresses'), family: z.union([z.literal(4), z.literal(6)]) }),
    z.strictObject({
      kind: z.enum(['account', 'endpoint', 'group', 'unknown']),
      name: z.string(),
    }),
  ]),
  ranges: z.array(z.strictObject({ first: whole, last: whole, services })),
});

/** Everything that decides about a stack: the packets that it opens and denies, and digests of the rest. */
export const surfaceSchema = z.strictObject({
  digest: z.string().describe('of what Terraform opens, as the check prints it'),
  opens: z.array(cell),
  denies: z.array(cell).describe('packets that a firewall of the stack stops'),
  content: z
    .record(z.string(), z.string())
    .describe('SHA-256 of each value that decides, and of each part that a review cannot read'),
});

export type Surface = z.infer<typeof surfaceSchema>;

type Cells = Surface['opens'];

/** Reduces each stack to what an approval speaks of: no value and no path of a checkout is in it. */
export function surfacesOf(tree: SynthesizedTree): Map<string, Surface> {
  return new Map(
    reviewedTree(tree).stacks.map((stack) => {
      const { effective, name } = stack;
      const surface = {
        digest: effectiveDigest(effective),
        opens: openings(effective),
        denies: cellsOf(effective.denied),
        content: contentOf(stack),
      };
      return [name, surface];
    }),
  );
}

/** Lists what a stack opens, whatever else decides about it. */
export function openingsOf(stack: TerraformStackJson): Cells {
  return openings(readEffectiveAccess(stack));
}

/** Lists and groups count alone as well: a second step can use what the first has widened. */
function openings({ flows, alone }: EffectiveAccess): Cells {
  return cellsOf([...flows, ...alone]);
}

function cellsOf(flows: readonly EffectiveFlow[]): Cells {
  return [...toRegion(flows).values()].map(({ carrier = '', direction, peer, ranges }) => ({
    carrier,
    direction,
    peer,
    ranges: ranges.map(({ first, last, services: open }) => ({
      first: String(first),
      last: String(last),
      services: open.map((span) => ({ ...span })),
    })),
  }));
}

/** Reads the packets of a surface as sets. */
export function regionOf(cells: Cells): Region {
  return toRegion(
    cells.flatMap(({ carrier, direction, peer, ranges }) =>
      ranges.map(({ first: low, last: high, services: open }) => {
        const [first, last] = [BigInt(low), BigInt(high)];
        const named = peer.kind === 'addresses' ? { ...peer, first, last } : peer;
        return { carrier, direction, peer: named, services: open };
      }),
    ),
  );
}

/** Returns the digests of all that decides about a stack beside packets, and of what is not read. */
export function contentOf(stack: ReviewedStack): Record<string, string> {
  const { facts, unread } = stack.effective;
  const values = facts
    .filter(({ values: own }) => own.length > 0)
    .map(({ resource, id, values: own }) => ({
      part: `${resource} ${id.join(' ')}`,
      digest: fingerprint(own),
    }));
  const parts = unread.map(({ where, attribute = '', fingerprint: digest }) => ({
    part: `not read: ${where} ${attribute}`.trimEnd(),
    digest,
  }));
  const replacing = resolveStack(stack.terraform).resources.flatMap(replacingValues);
  const stated = describeDisagreement(stack, stack.disagreement).map(({ identity }) => ({
    part: 'access.json',
    digest: fingerprint(identity),
  }));
  // Of one part several things can be unread: all of them count.
  const grouped = [
    ...groupBy([...values, ...parts, ...replacing, ...stated], ({ part }) => part),
  ].map(([part, all]) => [part, fingerprint(all.map(({ digest }) => digest).sort())] as const);
  return Object.fromEntries(grouped.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Another value of these makes Terraform destroy the resource and create another. */
function replacingValues(resource: TerraformResource) {
  const { address, type, kind, body } = resource;
  const read = readAttributes(resource) ?? [];
  const attributes = kind === 'resource' ? (findResourceRow(type)?.attributes ?? {}) : {};
  return Object.entries<Attribute>(attributes)
    .filter(([name, { replaces }]) => replaces === true && !read.includes(name) && name in body)
    .map(([name]) => ({ part: `${address} ${name}`, digest: fingerprint(toValues(body[name])) }));
}
