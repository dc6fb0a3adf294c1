import type { TerraformResource, TerraformStackJson } from '../read/terraform-json.js';
import { controlPolicy } from './control-policy.js';
import { listener } from './listener.js';
import { endpointConnection, endpointService } from './private-link.js';
import { joinReadings, NO_RULES, type Reader, type Reading } from './reading.js';
import { securityGroup } from './security-group.js';

/** How each type is read. Lists are read where a rule refers to them. */
const READERS: Readonly<Record<string, Reader>> = {
  volcenginecc_vpc_security_group: securityGroup,
  volcenginecc_privatelink_endpoint_service: endpointService,
  volcenginecc_privatelink_vpc_endpoint_connection: endpointConnection,
  volcenginecc_clb_listener: listener,
  volcenginecc_fwcenter_control_policy: controlPolicy,
  volcenginecc_vpc_prefix_list: NO_RULES,
  volcenginecc_clb_acl: NO_RULES,
  volcenginecc_fwcenter_address_book: NO_RULES,
  volcenginecc_vpc_vpc: NO_RULES,
  volcenginecc_vpc_subnet: NO_RULES,
  volcenginecc_privatelink_vpc_endpoint: NO_RULES,
  volcenginecc_clb_clb: NO_RULES,
  volcenginecc_clb_server_group: NO_RULES,
  volcenginecc_privatezone_private_zone: NO_RULES,
  volcenginecc_privatezone_record: NO_RULES,
  null_resource: NO_RULES,
  terraform_data: NO_RULES,
};

/** Names of attributes by which clouds write rules. */
const RULE_LIKE =
  /^(ingress|egress)|permission|permit|principal|acl|polic(y|ies)|rules?$|cidr|white_?list|allow/;

export interface StackReading extends Reading {
  /** Resources of types without a reader. */
  readonly unread: readonly TerraformResource[];
}

/** Everything that a stack's Terraform JSON lets through. */
export function readStack(stack: TerraformStackJson): StackReading {
  const resources = stack.resources.filter(({ kind }) => kind === 'resource');
  const reading = joinReadings(
    resources.flatMap((resource) => READERS[resource.type]?.(resource, stack) ?? []),
  );
  return { ...reading, unread: resources.filter(({ type }) => READERS[type] === undefined) };
}

/** Whether a resource of an unknown type looks as if it decided who may talk to whom. */
export function seemsToRule({ body }: TerraformResource): boolean {
  return Object.keys(body).some((attribute) => RULE_LIKE.test(attribute));
}
