import { compareWithRules } from './effective-rules/compare.js';
import { isUnknown, list } from './read/terraform-json.js';
import type { ReviewedStack, ReviewedTree } from './reviewed-stack.js';

/** What a reader must know about the limits of this review. */
export function notesOf(base: ReviewedTree, head: ReviewedTree): string[] {
  return [
    ...(base.stacks.length === 0 ? ['The base has no stacks: everything is new.'] : []),
    ...(head.stacks.length === 0 ? ['The head has no stacks: everything is gone.'] : []),
    ...head.stacks.flatMap((stack) => [
      ...withoutRules(stack),
      ...unreadTypes(stack),
      ...givenGroups(stack),
      ...unopened(stack),
    ]),
  ];
}

function withoutRules({ name, access }: ReviewedStack): string[] {
  return access === undefined
    ? [`${name} states no access rules; its security groups and lists were read all the same.`]
    : [];
}

function unreadTypes({ name, reading }: ReviewedStack): string[] {
  const types = [...new Set(reading.unread.map(({ type }) => type))].sort();
  return types.length === 0
    ? []
    : [`${name} has types that a review does not read: ${types.join(', ')}.`];
}

/** A group that exists adds its rules to ours, and nobody here can see them. */
function givenGroups({ name, terraform }: ReviewedStack): string[] {
  return terraform.resources.flatMap(({ address, body }) => {
    const given = list(body.security_group_ids).filter((id) => !isUnknown(id));
    return given.length === 0
      ? []
      : [
          `${address} in ${name} also carries groups made elsewhere, whose rules add up: ${given.join(', ')}.`,
        ];
  });
}

/** Rules for firewalls that Terraform does not manage. */
function unopened({ name, rules, reading }: ReviewedStack): string[] {
  const { unopened: left } = compareWithRules(reading.openings, rules);
  return left.length === 0
    ? []
    : [`${name} states access that nothing in Terraform opens, ${left.length} in all: ${left[0]}.`];
}
