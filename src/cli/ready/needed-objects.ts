import { clbAcl, clbClb, clbListener, clbServerGroup } from '../../cloud/table/clb.js';
import { fwcenterAddressBook, fwcenterControlPolicy } from '../../cloud/table/fwcenter.js';
import {
  privatelinkEndpointService,
  privatelinkVpcEndpoint,
} from '../../cloud/table/privatelink.js';
import { privatezonePrivateZone, privatezoneRecord } from '../../cloud/table/privatezone.js';
import type { ResourceRow } from '../../cloud/table/row.js';
import { vpcPrefixList, vpcSecurityGroup, vpcSubnet, vpcVpc } from '../../cloud/table/vpc.js';
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

export function namedObjects(settings: Settings): NamedObject[] {
  const { serviceEndpoint, pluginEndpointService } = settings;
  const balancer = pluginEndpointService?.loadBalancer;
  const zone = serviceEndpoint?.privateZone ?? false;
  const object = (field: string, row: ResourceRow, id: string | undefined): NamedObject[] =>
    id === undefined ? [] : [{ field, row, id }];
  return [
    ...(serviceEndpoint ? networkObjects('network', settings.network) : []),
    ...(balancer && 'network' in balancer
      ? networkObjects('pluginEndpointService.loadBalancer.network', balancer.network)
      : object(
          'pluginEndpointService.loadBalancer.loadBalancerId',
          clbClb,
          balancer?.loadBalancerId,
        )),
    ...(serviceEndpoint?.privateZoneNetworks ?? []).flatMap(({ vpcId }) =>
      object('serviceEndpoint.privateZoneNetworks.vpcId', vpcVpc, vpcId),
    ),
    ...(serviceEndpoint?.securityGroupIds ?? []).flatMap((id) =>
      object('serviceEndpoint.securityGroupIds', vpcSecurityGroup, id),
    ),
    ...(typeof zone === 'object' && 'zoneId' in zone
      ? object('serviceEndpoint.privateZone.zoneId', privatezonePrivateZone, `${zone.zoneId}`)
      : []),
    ...(['fixedIpEgress', 'fixedIpIngress'] as const).flatMap((name) => [
      ...object(`${name}.securityGroup.vpcId`, vpcVpc, settings[name]?.securityGroup?.vpcId),
      ...object(`${name}.prefixList.vpcId`, vpcVpc, settings[name]?.prefixList?.vpcId),
    ]),
  ];
}

function networkObjects(field: string, network: Settings['network']): NamedObject[] {
  if (network === undefined || !('vpcId' in network)) return [];
  return [
    { field: `${field}.vpcId`, row: vpcVpc, id: network.vpcId },
    ...Object.entries(network.subnets).map(([zone, { subnetId }]) => ({
      field: `${field}.subnets.${zone}.subnetId`,
      row: vpcSubnet,
      id: subnetId,
    })),
  ];
}
