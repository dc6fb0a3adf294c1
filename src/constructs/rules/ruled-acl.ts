import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../../access/access-rule.js';
import { ClbAcl } from '../../cloud/resource.js';
import { type CommonProps, cloudTags } from '../common-props.js';
import { cidrsOf } from './rule-groups.js';

export interface RuledAclProps extends CommonProps {
  readonly name: string;
  readonly description: string;
  /** Rules whose peers become the entries. */
  readonly rules: readonly AccessRule[];
}

/** The one writer of listener ACLs: the peers of access rules in, a list of exactly these out. */
export class RuledAcl extends Construct {
  readonly aclId: string;
  readonly resource: ITerraformDependable;

  constructor(scope: Construct, id: string, props: RuledAclProps) {
    super(scope, id);
    const acl = new ClbAcl(this, 'Default', {
      aclName: props.name,
      description: props.description,
      aclEntries: cidrsOf(props.rules).map((entry) => ({ entry, description: props.description })),
      projectName: props.projectName,
      tags: cloudTags(props.tags),
      ...(props.provider && { provider: props.provider }),
    });
    this.aclId = acl.attributes.aclId;
    this.resource = acl;
  }
}
