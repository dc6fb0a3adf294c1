import { resourceOf, typeOf } from '../../reach/read/address.js';
import type { TerraformStackJson } from '../../reach/read/terraform-json.js';

/** Finds moves that Terraform makes: only from an address that a resource has left, to a new one of its type. */
export function findMoves(before: TerraformStackJson, after: TerraformStackJson) {
  const types = (all: TerraformStackJson) =>
    new Map(all.resources.map(({ address, type, kind }) => [address, `${kind} ${type}`]));
  const [was, now] = [types(before), types(after)];
  return [...after.movedTo.keys()].flatMap((from) => {
    const path = pathOf(from, after.movedTo);
    const to = path.at(-1) ?? from;
    // Terraform leaves an object where it is if another one has an address on its way.
    const isFree = path.every((step) => !was.has(step) && isSole(step, after)) && !now.has(from);
    return isFree && was.has(from) && was.get(from) === now.get(to) ? [[from, to] as const] : [];
  });
}

/** Follows the moves of an address to their end; a circle, which Terraform refuses, leads nowhere. */
export function endOfMoves(from: string, moves: ReadonlyMap<string, string>): string {
  return pathOf(from, moves).at(-1) ?? from;
}

/** The addresses that an object comes by, from move to move. */
function pathOf(from: string, moves: ReadonlyMap<string, string>): string[] {
  const path = new Set<string>();
  for (let next = moves.get(from); next !== undefined; next = moves.get(next)) {
    if (path.has(next) || next === from) return [];
    path.add(next);
  }
  return [...path];
}

/** Tells whether a review follows a move: of a whole resource, alone, from an address that nothing has now. */
export function isFollowed(from: string, to: string, stack: TerraformStackJson): boolean {
  const type = typeOf(from);
  const isWhole = [from, to].every((one) => one.startsWith(`${type}.`) && resourceOf(one) === one);
  const isLeft = !stack.resources.some(({ address }) => address === from);
  const isEnded = pathOf(from, stack.movedTo).length > 0 && stack.movedTo.get(from) === to;
  return type !== '' && isWhole && isLeft && isEnded && isSole(to, stack);
}

/** Tells whether one move leads to an address: Terraform refuses two. */
function isSole(to: string, { movedTo }: TerraformStackJson): boolean {
  return [...movedTo.values()].filter((one) => one === to).length === 1;
}
