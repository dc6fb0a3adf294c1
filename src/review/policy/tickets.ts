import { list, object, text } from '../read/json-values.js';
import type { TerraformStackJson } from '../read/terraform-json.js';

/**
 * The `ticket` tag that most resources of a stack carry. It is of the stack, not of a change: a
 * ticket that was there before says nothing about what is new.
 */
interface StackTicket {
  readonly stack: string;
  readonly base?: string;
  readonly head?: string;
}

export function changedTicket(
  stack: string,
  before: TerraformStackJson,
  after: TerraformStackJson,
): StackTicket[] {
  const [base, head] = [findTicket(before), findTicket(after)];
  if (base === undefined && head === undefined) return [];
  return [{ stack, ...(base !== undefined && { base }), ...(head !== undefined && { head }) }];
}

function findTicket({ resources }: TerraformStackJson): string | undefined {
  const counts = new Map<string, number>();
  for (const { body } of resources) {
    const tag = list(body.tags)
      .map(object)
      .find(({ key }) => key === 'ticket');
    if (tag !== undefined) counts.set(text(tag.value), (counts.get(text(tag.value)) ?? 0) + 1);
  }
  return [...counts].sort(([, x], [, y]) => y - x)[0]?.[0];
}
