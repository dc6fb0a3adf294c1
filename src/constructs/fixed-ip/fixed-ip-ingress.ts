import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../../access/access-rule.js';
import { effectiveCidrs } from '../../net/address-list.js';
import { portProblems } from '../mistakes.js';
import { outputs } from '../props-and-outputs.js';
import { hasMistakes, StackAccess } from '../stack-access.js';
import type { BackendGuard } from '../user-id-header.js';
import {
  enforcement,
  enforcementOutputs,
  enforceRules,
  type FixedIpProps,
  type ListedAddresses,
  listedRules,
  listProblems,
  targetProblems,
} from './fixed-ip-enforcement.js';

export interface FixedIpIngressProps extends FixedIpProps {
  /** The plugin's backend that the rules open. */
  readonly backend: string;
  /** The list that the vendor provides on request. */
  readonly addresses: ListedAddresses;
  /** The backend's ports. */
  readonly ports: readonly number[];
}

/**
 * Fixed-IP access to a plugin: ingress to its backend from the service's list and nobody else.
 *
 * @example
 * ```ts
 * new FixedIpIngress(stack, 'plugin', {
 *   name: 'tickets',
 *   backend: 'tickets',
 *   ports: [443],
 *   addresses: {
 *     version: '2026-05-04',
 *     entries: [
 *       {
 *         address: '198.51.100.7',
 *         state: 'active',
 *         firstSeen: '2026-05-04',
 *         source: 'mail of the business manager',
 *       },
 *     ],
 *   },
 *   securityGroup: { vpcId: 'vpc-1a2b' },
 * });
 * ```
 */
export class FixedIpIngress extends Construct implements BackendGuard {
  /** Who may call the backend. */
  readonly accessRules: readonly AccessRule[] = [];
  readonly backend: string;
  readonly callerNetworks: readonly string[] = [];
  /** The group with one rule per address, if `securityGroup` is set. */
  readonly securityGroupId: string | undefined;
  /** Set if `prefixList` is. */
  readonly prefixListId: string | undefined;
  /** The group with one rule for the prefix list, if `prefixList.vpcId` is set. */
  readonly listedSecurityGroupId: string | undefined;
  readonly resources: readonly ITerraformDependable[] = [];

  constructor(scope: Construct, id: string, props: FixedIpIngressProps) {
    super(scope, id);
    const { addresses: list, backend } = props;
    this.backend = backend;
    if (hasMistakes(this, ingressProblems(props))) return;
    this.accessRules = StackAccess.of(this).add(ingressRules(props));
    this.callerNetworks = effectiveCidrs(list);
    const made = enforceRules(this, {
      props,
      list,
      description: 'addresses that plugin calls come from',
      rules: this.accessRules,
    });
    this.securityGroupId = made.securityGroupId;
    this.prefixListId = made.prefixListId;
    this.listedSecurityGroupId = made.listedSecurityGroupId;
    this.resources = made.resources;
    outputs(this, enforcementOutputs(made, 'the backend of the plugin'));
  }
}

function ingressProblems({ addresses, ports, ...targets }: FixedIpIngressProps): string[] {
  return [
    ...targetProblems(targets),
    ...listProblems('addresses', addresses),
    ...portProblems('ports', ports),
  ];
}

function ingressRules(props: FixedIpIngressProps): AccessRule[] {
  const { name, addresses, ports, backend } = props;
  return listedRules(addresses, ports, {
    via: 'fixed-ip-plugin',
    direction: 'ingress',
    subject: backend,
    reason: 'plugin calls from the fixed addresses of the service',
    ...enforcement(name, props),
  });
}
