import { groupBy } from '../../lists/group-by.js';
import { isUnknown, list } from '../../reach/read/json.js';
import type { Unread } from '../../reach/read/terraform-json.js';
import type { ReviewedStack, ReviewedTree } from '../stacks/reviewed-trees.js';

/** Returns what a reader must know about the limits of this review. */
export function makeNotes(base: ReviewedTree, head: ReviewedTree): string[] {
  return [
    ...(base.stacks.length === 0 ? ['The base has no stacks: everything is new.'] : []),
    ...(head.stacks.length === 0 ? ['The head has no stacks: everything is gone.'] : []),
    ...head.stacks.flatMap((stack) => [
      ...(stack.access === undefined
        ? [`${stack.name} states no access rules; its security groups and lists were still read.`]
        : []),
      ...describeUnread(stack.name, unchanged(stack, base)),
      ...(stack.terraform.others === undefined
        ? []
        : [`${stack.name}: a review does not read ${stack.terraform.others}.`]),
      ...givenGroups(stack),
      ...unopened(stack),
    ]),
  ];
}

/** Returns what of a deploy no file of the tree says, so that the digest of the files does not cover it. */
export function notesOnDigest({ stacks }: ReviewedTree): string[] {
  return stacks.flatMap(({ name, terraform: { resources } }) => {
    const read = resources.filter(({ kind }) => kind === 'data').map(({ address }) => address);
    return read.length === 0
      ? []
      : [`${name}: the tree digest does not cover what a deploy then reads by ${read.join(', ')}.`];
  });
}

/** Returns what is unread and as it was; the rest is among the findings. */
function unchanged({ name, effective }: ReviewedStack, base: ReviewedTree) {
  const before = base.stacks.find((stack) => stack.name === name)?.effective.unread ?? [];
  const known = new Set(before.map((one) => JSON.stringify(one)));
  return effective.unread.filter((one) => !one.isOutside && known.has(JSON.stringify(one)));
}

/** A group that exists adds its rules to ours, and nobody here can see them. */
function givenGroups({ name, terraform }: ReviewedStack): string[] {
  return terraform.resources.flatMap(({ address, body }) => {
    const given = list(body.security_group_ids).filter((id) => !isUnknown(id));
    return given.length === 0
      ? []
      : [
          `${address} in ${name} also has groups that are managed elsewhere, whose rules add up: ${given.join(', ')}.`,
        ];
  });
}

/** Rules for firewalls that Terraform does not manage. */
function unopened({ name, open }: ReviewedStack): string[] {
  const stated = open.filter(({ carrier }) => carrier === undefined);
  const enforcers = groupBy(stated, ({ enforcedElsewhere = '' }) => enforcedElsewhere);
  return [...enforcers].map(([by, rules]) => {
    const subjects = [...new Set(rules.map(({ subject }) => subject))].join(', ');
    const who = by === '' ? 'and does not say what does' : `because it is enforced by: ${by}`;
    return `${name} states access of ${subjects} that nothing in Terraform opens, ${rules.length} in all, ${who}.`;
  });
}

/** Returns what cannot be read and is as it was, as sentences: once for each reason. */
function describeUnread(stack: string, all: readonly Unread[]): string[] {
  return [...groupBy(all, ({ why }) => why)].map(([why, unread]) => {
    const places = unread.map(({ where, attribute }) =>
      attribute === undefined ? where : `${where} (${attribute})`,
    );
    return `${stack}: a review does not read ${[...new Set(places)].join(', ')}: ${why}. A change to it needs approval.`;
  });
}
