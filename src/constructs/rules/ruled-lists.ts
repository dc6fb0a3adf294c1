import { Construct } from 'constructs';
import { canonicalRules } from '../../access/access-model.js';
import type { AccessRule } from '../../access/access-rule.js';
import { cloud } from '../../cloud/resource.js';
import { collectProblems } from '../mistakes.js';
import { type CommonProps, chooseProject, resourceProps } from '../props-and-outputs.js';
import { generationName, hashGeneration, REPLACED_FIRST } from '../replacement.js';
import { reportProblems } from '../stack-access.js';

/** Rules that differ in their peer only, with every peer's CIDR in canonical order. */
export interface RuleGroup {
  readonly rule: AccessRule;
  readonly cidrs: readonly string[];
}

/** Groups rules by direction, protocol and ports: what one rule over a list of peers can say. */
export function ruleGroups(rules: readonly AccessRule[]): RuleGroup[] {
  const groups = new Map<string, { rule: AccessRule; cidrs: string[] }>();
  for (const rule of canonicalRules(rules)) {
    const { peer } = rule;
    const key = ruleGroupKey(rule);
    const group = groups.get(key) ?? { rule, cidrs: [] };
    if (peer.kind === 'cidr') group.cidrs.push(peer.cidr);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Tells rules apart by all but their peers. */
export function ruleGroupKey({ direction, protocol, ports }: AccessRule): string {
  return JSON.stringify([direction, protocol, ports.first, ports.last]);
}

/** The CIDRs of all rules, each once, in canonical order. */
export function listCidrs(rules: readonly AccessRule[]): string[] {
  return [...new Set(ruleGroups(rules).flatMap(({ cidrs }) => cidrs))];
}

interface RuledListProps extends CommonProps {
  readonly name: string;
  readonly description: string;
  /** Rules whose peers become the entries. */
  readonly rules: readonly AccessRule[];
}

interface RuledPrefixListProps extends RuledListProps {
  /** Room for addresses to come, so that one more is one line of the plan. */
  readonly headroom: number;
}

/** Entries that a list can hold; see the cloud's VPC limits. */
const MAX_ENTRIES = 200;

export type RuledPrefixList = ReturnType<typeof ruledPrefixList>;

/** The one writer of prefix lists: the peers of access rules in, a list of exactly these out. */
export function ruledPrefixList(scope: Construct, id: string, props: RuledPrefixListProps) {
  const { name, description, rules, headroom } = props;
  const place = new Construct(scope, id);
  const all = listCidrs(rules);
  reportProblems(place, entryProblems(all.length, headroom));
  const cidrs = all.slice(0, MAX_ENTRIES);
  const maxEntries = Math.min(cidrs.length + headroom, MAX_ENTRIES);
  const resource = new cloud.VpcPrefixList(place, 'Default', {
    prefixListName: generationName(name, hashGeneration(chooseProject(props))),
    description,
    ipVersion: 'IPv4',
    maxEntries,
    prefixListEntries: cidrs.map((cidr) => ({ cidr, description })),
    lifecycle: REPLACED_FIRST,
    ...resourceProps(props),
  });
  // A security group may count each entry as a rule.
  return { prefixListId: resource.attributes.prefixListId, maxEntries, resource };
}

function entryProblems(entries: number, headroom: number): string[] {
  return collectProblems(
    entries > MAX_ENTRIES &&
      `\`rules\` must have at most ${MAX_ENTRIES} addresses for a prefix list, got: ${entries}`,
    !(Number.isInteger(headroom) && headroom >= 0) &&
      `\`headroom\` must be a whole number of 0 or more, got: ${headroom}`,
  );
}

/** The one writer of listener ACLs: the peers of access rules in, a list of exactly these out. */
export function ruledAcl(scope: Construct, id: string, props: RuledListProps) {
  const { name, description } = props;
  return new cloud.ClbAcl(new Construct(scope, id), 'Default', {
    aclName: generationName(name, hashGeneration(chooseProject(props))),
    description,
    aclEntries: listCidrs(props.rules).map((entry) => ({ entry, description })),
    lifecycle: REPLACED_FIRST,
    ...resourceProps(props),
  });
}
