import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import type { AccessRule } from '../../access/access-rule.js';
import { text } from '../../cloud/props/kinds.js';
import { givenText, propsProblems, required, type Shape } from '../../cloud/props/shape.js';
import { effectiveCidrs } from '../../net/address-list.js';
import { outputs, ports } from '../props-and-outputs.js';
import { reportProblems, StackAccess } from '../stack-access.js';
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
import { FIXED_IP_PROPS, listedAddresses } from './fixed-ip-shape.js';

export interface FixedIpIngressProps extends FixedIpProps {
  /** The plugin's backend that the rules open. */
  readonly backend: string;
  /** The list that the vendor provides on request. */
  readonly addresses: ListedAddresses;
  /** The backend's ports. */
  readonly ports: readonly number[];
}

/**
 * Fixed-IP access to a plugin: ingress to its backend only from the service's fixed addresses.
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
  /** The clients that may call the backend. */
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
    this.backend = givenText(props, 'backend');
    if (reportProblems(this, ingressProblems(props))) return;
    const { addresses: list } = props;
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

const PROPS: Shape<FixedIpIngressProps> = {
  ...FIXED_IP_PROPS,
  backend: required(text),
  addresses: required(listedAddresses),
  ports: required(ports),
};

function ingressProblems(props: FixedIpIngressProps): string[] {
  return propsProblems(PROPS, props, ({ addresses, ...targets }) => [
    ...targetProblems(targets),
    ...listProblems('addresses', addresses),
  ]);
}

function ingressRules(props: FixedIpIngressProps): AccessRule[] {
  const { name, addresses, ports, backend } = props;
  return listedRules(addresses, ports, {
    via: 'fixed-ip-ingress',
    direction: 'ingress',
    subject: backend,
    reason: 'plugin calls from the fixed addresses of the service',
    ...enforcement(name, props),
  });
}
