import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../../access/access-rule.js';
import { cloud } from '../../cloud/resource.js';
import { type CommonProps, cloudTags, projectOf } from '../common-props.js';
import { generationName, generationOf, REPLACED_FIRST } from '../generation.js';
import { cidrsOf } from './rule-groups.js';

interface RuledAclProps extends CommonProps {
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
    const projectName = projectOf(props);
    const acl = new cloud.ClbAcl(this, 'Default', {
      aclName: generationName(props.name, generationOf(projectName)),
      description: props.description,
      aclEntries: cidrsOf(props.rules).map((entry) => ({ entry, description: props.description })),
      projectName,
      tags: cloudTags(props.tags),
      lifecycle: REPLACED_FIRST,
      ...(props.provider && { provider: props.provider }),
    });
    this.aclId = acl.attributes.aclId;
    this.resource = acl;
  }
}
