import { clbAcl, clbClb, clbListener, clbServerGroup } from '../../cloud/table/clb.js';
import { fwcenterAddressBook, fwcenterControlPolicy } from '../../cloud/table/fwcenter.js';
import {
  privatelinkEndpointService,
  privatelinkVpcEndpoint,
} from '../../cloud/table/privatelink.js';
import { privatezonePrivateZone, privatezoneRecord } from '../../cloud/table/privatezone.js';
import type { ResourceRow } from '../../cloud/table/row.js';
import { vpcPrefixList, vpcSecurityGroup, vpcSubnet, vpcVpc } from '../../cloud/table/vpc.js';
import { isObject } from '../../files/json.js';
import type { Settings } from '../../settings/schema.js';

/** Types that a deploy of the settings makes and lists, each once; connections are found by their service alone. */
export function neededTypes(settings: Settings): ResourceRow[] {
  const { serviceEndpoint, pluginEndpointService, fixedIpEgress, fixedIpIngress } = settings;
  const balancer = pluginEndpointService?.loadBalancer;
  const networks = [
    ...(serviceEndpoint ? [settings.network] : []),
    ...(balancer && 'network' in balancer ? [balancer.network] : []),
  ];
  const zone = serviceEndpoint?.privateZone ?? false;
  const rows: ResourceRow[] = [
    ...(networks.some((one) => one !== undefined && 'name' in one) ? [vpcVpc, vpcSubnet] : []),
    ...(serviceEndpoint ? [vpcSecurityGroup, privatelinkVpcEndpoint] : []),
    ...(zone === true ? [privatezonePrivateZone] : []),
    ...(zone === true || (zone !== false && 'zoneId' in zone) ? [privatezoneRecord] : []),
    ...(pluginEndpointService ? [privatelinkEndpointService] : []),
    ...(balancer && 'network' in balancer
      ? [clbClb, clbServerGroup, clbListener, clbAcl, vpcSecurityGroup]
      : []),
    ...[fixedIpEgress, fixedIpIngress].flatMap((option) => (option ? targetTypes(option) : [])),
  ];
  return [...new Set(rows)];
}

type FixedIp = NonNullable<Settings['fixedIpEgress'] | Settings['fixedIpIngress']>;

function targetTypes({ securityGroup, prefixList, cloudFirewall }: FixedIp): ResourceRow[] {
  return [
    ...(securityGroup || prefixList?.vpcId ? [vpcSecurityGroup] : []),
    ...(prefixList ? [vpcPrefixList] : []),
    ...(cloudFirewall ? [fwcenterAddressBook, fwcenterControlPolicy] : []),
  ];
}

export interface NamedObject {
  readonly field: string;
  readonly row: ResourceRow;
  readonly id: string;
}

/** The rows of objects that settings name, by the keys of their ids. */
const ROWS: Readonly<Record<string, ResourceRow>> = {
  vpcId: vpcVpc,
  subnetId: vpcSubnet,
  securityGroupIds: vpcSecurityGroup,
  zoneId: privatezonePrivateZone,
  loadBalancerId: clbClb,
};

export function namedObjects(settings: Settings): NamedObject[] {
  const { network, serviceEndpoint, pluginEndpointService, fixedIpEgress, fixedIpIngress } =
    settings;
  const options = { serviceEndpoint, pluginEndpointService, fixedIpEgress, fixedIpIngress };
  return objectsIn({ ...(serviceEndpoint && { network }), ...options }, '');
}

function objectsIn(value: unknown, path: string): NamedObject[] {
  if (Array.isArray(value)) return value.flatMap((member) => objectsIn(member, path));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const field = path === '' ? name : `${path}.${name}`;
    const row = ROWS[name];
    if (row === undefined || member === undefined) return objectsIn(member, field);
    return [member].flat().map((id) => ({ field, row, id: String(id) }));
  });
}

/** The provider block that stacks of the settings have. */
export function providerBlock({ region, assumeRole: role }: Settings) {
  if (role === undefined) return { region };
  const { trn, durationSeconds } = role;
  return { region, assume_role: { assume_role_trn: trn, duration_seconds: durationSeconds } };
}
