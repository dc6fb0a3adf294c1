import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import { compareText } from '../../access/access-model.js';
import type { AccessRule } from '../../access/access-rule.js';
import { cloud } from '../../cloud/resource.js';
import { cidrsOverlap, LINK_NETWORK, parseCidr } from '../../net/cidr.js';
import { LOAD_BALANCER_SPEC, SERVER_WEIGHT } from '../../settings/defaults.js';
import { warn } from '../mistakes.js';
import type { IPrivateNetwork } from '../network-props.js';
import { type CommonProps, pickCommon, resourceProps } from '../props-and-outputs.js';
import { generationName, hashGeneration, REPLACED_FIRST } from '../replacement.js';
import { ruledAcl } from '../rules/ruled-lists.js';
import { StackAccess } from '../stack-access.js';

/** One server behind a load balancer. */
export interface BackendServer {
  /** The instance (`ecs`) or network interface (`eni`); an address (`ip`) is its own id. @default - `ip` */
  readonly instanceId?: string;
  /** Its address in the network. */
  readonly ip: string;
  readonly type: 'ecs' | 'eni' | 'ip';
  readonly port: number;
  /** Share of the calls, 0 to 100. @default 100 */
  readonly weight?: number;
}

/** A private load balancer to create. */
export interface NewLoadBalancer {
  /** The zone of the network that it is created in. @default - the first zone of the network */
  readonly zone?: string;
  /** The listener's protocol: TCP passes TLS through to the backend. */
  readonly protocol: 'TCP' | 'HTTP';
  /** The listener's port. */
  readonly port: number;
  /** All of one kind: instances and interfaces, or addresses. */
  readonly servers: readonly BackendServer[];
  /** Path that a healthy backend answers with 2xx; only for HTTP. @default - `/` for HTTP, a TCP connection otherwise */
  readonly healthCheckPath?: string;
  /** Size, if the account pays by size. @default 'small_1' */
  readonly spec?: string;
}

interface PrivateLoadBalancerProps extends CommonProps {
  readonly name: string;
  readonly balancer: NewLoadBalancer & { readonly network: IPrivateNetwork };
  /** The clients that may call the listener. */
  readonly rules: readonly AccessRule[];
  /** The group that lets its calls in to the servers: no server gets calls before that does. */
  readonly opensServers: ITerraformDependable;
}

export const DEFAULT_HEALTH_CHECK_PATH = '/';

/** Seconds that a server has to answer a health check. */
export const HEALTH_CHECK_TIMEOUT = 2;

/** Billing by size and hour. */
const PAY_AS_YOU_GO = 2;

/** A load balancer without a public address, with a listener that lets only the rules' peers in. */
export function privateLoadBalancer(scope: Construct, id: string, props: PrivateLoadBalancerProps) {
  const { name, balancer } = props;
  const { network } = balancer;
  const place = new Construct(scope, id);
  warnOfOverlap(place, network);
  const zone = balancer.zone ?? [...network.subnets.keys()][0] ?? '';
  const subnet = network.subnets.get(zone);
  const { projectName, ...common } = resourceProps(props);
  const generation = hashGeneration(subnet?.generation, zone, projectName);
  const clb = new cloud.ClbClb(place, 'Default', {
    type: 'private',
    loadBalancerName: generationName(name, generation),
    description: 'load balancer of a private plugin',
    vpcId: network.vpcId,
    subnetId: subnet?.subnetId,
    masterZoneId: zone,
    addressIpVersion: 'ipv4',
    loadBalancerBillingType: PAY_AS_YOU_GO,
    loadBalancerSpec: balancer.spec ?? LOAD_BALANCER_SPEC,
    projectName,
    dependsOn: [...network.resources],
    lifecycle: REPLACED_FIRST,
    ...common,
  });
  const { loadBalancerId } = clb.attributes;
  const type = balancer.servers[0]?.type === 'ip' ? 'ip' : 'instance';
  const group = new cloud.ClbServerGroup(place, 'servers', {
    loadBalancerId,
    serverGroupName: generationName(name, hashGeneration(generation, type)),
    description: 'backend of a private plugin',
    type,
    addressIpVersion: 'ipv4',
    anyPortEnabled: 'off',
    servers: balancer.servers.toSorted(byAddress).map(toServer),
    dependsOn: [props.opensServers],
    lifecycle: REPLACED_FIRST,
    ...common,
  });
  const [acl, listener] = closedListener(place, props, {
    loadBalancerId,
    serverGroupId: group.attributes.serverGroupId,
  });
  return {
    loadBalancerId,
    generation,
    resources: [...network.resources, clb, acl, group, listener],
  };
}

/** Creates a listener and its allow-list. */
function closedListener(
  place: Construct,
  props: PrivateLoadBalancerProps,
  of: { readonly loadBalancerId: string; readonly serverGroupId: string },
) {
  const { name, balancer, rules } = props;
  const { tags, provider } = resourceProps(props);
  const acl = ruledAcl(place, 'acl', {
    name,
    description: 'calls over the private link',
    rules,
    ...pickCommon(props),
  });
  const listener = new cloud.ClbListener(place, 'listener', {
    ...of,
    listenerName: name,
    description: 'calls over the private link',
    protocol: balancer.protocol,
    port: balancer.port,
    enabled: 'on',
    aclStatus: 'on',
    aclType: 'white',
    aclIds: [acl.attributes.aclId],
    healthCheck: healthCheck(balancer),
    tags,
    provider,
  });
  StackAccess.of(place).carry(rules, listener);
  return [acl, listener] as const;
}

/** Callers of the network itself would pass the listener's list as well. */
function warnOfOverlap(scope: Construct, { cidrs }: IPrivateNetwork): void {
  const link = parseCidr(LINK_NETWORK);
  for (const cidr of cidrs.filter((one) => cidrsOverlap(parseCidr(one), link))) {
    warn(scope, `the network ${cidr} overlaps ${LINK_NETWORK}, which private links call from`);
  }
}

function byAddress(a: BackendServer, b: BackendServer): number {
  return compareText(`${a.ip} ${a.port}`, `${b.ip} ${b.port}`);
}

function toServer({ instanceId, ip, type, port, weight = SERVER_WEIGHT }: BackendServer) {
  const description = 'backend of a private plugin';
  return { instanceId: instanceId ?? ip, ip, type, port, weight, description };
}

function healthCheck({ protocol, healthCheckPath }: NewLoadBalancer) {
  const common = {
    enabled: 'on',
    interval: 2,
    timeout: HEALTH_CHECK_TIMEOUT,
    healthyThreshold: 3,
    unhealthyThreshold: 3,
  } as const;
  if (protocol === 'TCP') return common;
  return {
    ...common,
    method: 'GET',
    uri: healthCheckPath ?? DEFAULT_HEALTH_CHECK_PATH,
    httpCode: 'http_2xx',
  } as const;
}
