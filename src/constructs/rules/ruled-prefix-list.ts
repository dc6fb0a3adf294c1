import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../../access/access-rule.js';
import { cloud } from '../../cloud/resource.js';
import { type CommonProps, cloudTags, projectOf } from '../common-props.js';
import { generationName, generationOf, REPLACED_FIRST } from '../generation.js';
import { hasMistakes } from '../mistakes/mistakes.js';
import { cidrsOf } from './rule-groups.js';

interface RuledPrefixListProps extends CommonProps {
  readonly name: string;
  readonly description: string;
  /** Rules whose peers become the entries. */
  readonly rules: readonly AccessRule[];
  /** Room for addresses to come, so that one more is one line of the plan. */
  readonly headroom: number;
}

/** Entries that a list can hold; see the cloud's VPC limits. */
const MOST_ENTRIES = 200;

/** The one writer of prefix lists: the peers of access rules in, a list of exactly these out. */
export class RuledPrefixList extends Construct {
  readonly prefixListId: string;
  /** How many entries it may come to hold; a security group may count each as a rule. */
  readonly maxEntries: number;
  readonly resource: ITerraformDependable;

  constructor(scope: Construct, id: string, props: RuledPrefixListProps) {
    super(scope, id);
    const all = cidrsOf(props.rules);
    hasMistakes(this, entryProblems(all.length, props.headroom));
    const cidrs = all.slice(0, MOST_ENTRIES);
    this.maxEntries = Math.min(cidrs.length + props.headroom, MOST_ENTRIES);
    const projectName = projectOf(props);
    const list = new cloud.VpcPrefixList(this, 'Default', {
      prefixListName: generationName(props.name, generationOf(projectName)),
      description: props.description,
      ipVersion: 'IPv4',
      maxEntries: this.maxEntries,
      prefixListEntries: cidrs.map((cidr) => ({ cidr, description: props.description })),
      projectName,
      tags: cloudTags(props.tags),
      lifecycle: REPLACED_FIRST,
      ...(props.provider && { provider: props.provider }),
    });
    this.prefixListId = list.attributes.prefixListId;
    this.resource = list;
  }
}

function entryProblems(entries: number, headroom: number): string[] {
  return [
    ...(entries > MOST_ENTRIES
      ? [`\`rules\` must have at most ${MOST_ENTRIES} addresses for a prefix list, got: ${entries}`]
      : []),
    ...(Number.isInteger(headroom) && headroom >= 0
      ? []
      : [`\`headroom\` must be a whole number of 0 or more, got: ${headroom}`]),
  ];
}
