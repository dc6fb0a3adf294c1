import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../access/access-rule.js';
import { effectiveCidrs } from '../net/address-list.js';
import type { BackendGuard } from './backend-guard.js';
import { type CommonProps, commonOf } from './common-props.js';
import { FixedIpEnforcement, type FixedIpTargets } from './fixed-ip-enforcement.js';
import { refuse } from './invalid.js';
import {
  type ListedAddresses,
  listedRules,
  listProblems,
  listTags,
  portProblems,
} from './listed-addresses.js';
import { outputs } from './outputs.js';
import { StackAccess } from './stack-access.js';
import { warnIfExpired } from './warnings.js';

export interface FixedIpIngressProps extends CommonProps, FixedIpTargets {
  /** First part of the names of what is made. */
  readonly name: string;
  /** The plugin's backend that the rules open. */
  readonly backend: string;
  /** The list that the vendor hands over on request. */
  readonly addresses: ListedAddresses;
  /** The backend's ports. */
  readonly ports: readonly number[];
}

/** Fixed-IP access to a plugin: ingress to its backend from the service's list and nobody else. */
export class FixedIpIngress extends Construct implements BackendGuard {
  readonly accessRules: readonly AccessRule[];
  readonly backend: string;
  readonly callerNetworks: readonly string[];
  /** The group with one rule an address, where `securityGroup` asks for it. */
  readonly securityGroupId: string | undefined;
  /** Where `prefixList` asks for it. */
  readonly prefixListId: string | undefined;
  /** The group with one rule over the prefix list, where `prefixList.vpcId` asks for it. */
  readonly listedSecurityGroupId: string | undefined;
  readonly resources: readonly ITerraformDependable[];

  constructor(scope: Construct, id: string, props: FixedIpIngressProps) {
    super(scope, id);
    const { addresses: list, ports, backend } = props;
    refuse(scope, id, [...listProblems('addresses', list), ...portProblems('ports', ports)]);
    warnIfExpired(this, list.shrinkException);
    const rules = listedRules(list, ports, {
      via: 'fixed-ip-plugin',
      direction: 'ingress',
      subject: backend,
      reason: 'plugin calls from the fixed addresses of the service',
    });
    this.accessRules = StackAccess.of(this).add(rules);
    const enforcement = new FixedIpEnforcement(this, 'Default', {
      ...commonOf(props),
      name: props.name,
      description: 'addresses that plugin calls come from',
      rules,
      targets: props,
      tags: listTags(list, props),
    });
    this.backend = backend;
    this.callerNetworks = effectiveCidrs(list);
    this.securityGroupId = enforcement.securityGroupId;
    this.prefixListId = enforcement.prefixListId;
    this.listedSecurityGroupId = enforcement.listedSecurityGroupId;
    this.resources = enforcement.resources;
    outputs(this, {
      'security-group-id': {
        value: this.securityGroupId,
        about: 'security group to attach to the backend of the plugin',
      },
      'listed-security-group-id': {
        value: this.listedSecurityGroupId,
        about: 'security group over the prefix list, to attach to the backend of the plugin',
      },
      'prefix-list-id': { value: this.prefixListId, about: 'for rules and routes of your own' },
    });
  }
}
