import { object } from '../read/json.js';
import type { SynthesizedTree } from '../read/read-tree.js';
import type { TerraformStackJson } from '../read/terraform-json.js';

/** The tree before under the addresses of the tree after: what `moved` renames is no other resource. */
export function followMoves(base: SynthesizedTree, head: SynthesizedTree): SynthesizedTree {
  return new Map(
    [...base].map(([name, stack]) => {
      const after = head.get(name)?.terraform;
      const moves = after === undefined ? [] : movesOf(stack.terraform, after);
      if (moves.length === 0) return [name, stack];
      return [name, { ...stack, terraform: rename(stack.terraform, new Map(moves)) }];
    }),
  );
}

/** Only a resource that has gone from its address, to one of its type that was not there. */
function movesOf(before: TerraformStackJson, after: TerraformStackJson) {
  const types = (all: TerraformStackJson) =>
    new Map(all.resources.map(({ address, type, kind }) => [address, `${kind} ${type}`]));
  const [was, now] = [types(before), types(after)];
  return [...after.movedTo].filter(
    ([from, to]) =>
      was.has(from) && was.get(from) === now.get(to) && !now.has(from) && !was.has(to),
  );
}

function rename(stack: TerraformStackJson, moves: ReadonlyMap<string, string>): TerraformStackJson {
  const renamed = (value: unknown): unknown =>
    typeof value === 'string'
      ? value.replaceAll(/[a-z]\w*\.[\w-]+/g, (address) => moves.get(address) ?? address)
      : Array.isArray(value)
        ? value.map(renamed)
        : object(value) === value
          ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renamed(one)]))
          : value;
  return {
    ...stack,
    outputs: object(renamed(stack.outputs)),
    blocks: new Map(
      [...stack.blocks].map(([key, block]) => [
        key,
        { ...block, body: object(renamed(block.body)) },
      ]),
    ),
    resources: stack.resources.map((resource) => {
      const address = moves.get(resource.address) ?? resource.address;
      const name = address.slice(resource.type.length + 1);
      const isMoved = address !== resource.address;
      return {
        ...resource,
        address,
        body: object(renamed(resource.body)),
        ...(isMoved && { name }),
      };
    }),
  };
}
