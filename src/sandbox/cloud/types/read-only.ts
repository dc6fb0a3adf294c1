import {
  fwcenterVpcFireWallAclRule,
  natgatewayDnatentry,
  privatezoneResolverRule,
  privatezoneUserVpcAuthorization,
  vpcEni,
  vpcNetworkAcl,
  vpcRouteTable,
} from '../../../cloud/table/read-only.js';
import { vpcSecurityGroup, vpcSubnet, vpcVpc } from '../../../cloud/table/vpc.js';
import { readText, readTexts } from '../../json.js';
import { type CloudType, referenced } from '../cloud-type.js';

/** A network interface, as an account has them beside its stacks. */
export const networkInterface: CloudType = {
  row: vpcEni,
  references: { SecurityGroupIds: vpcSecurityGroup, SubnetId: vpcSubnet },
  newId: (cloud) => cloud.newId('eni'),

  make(input, _, cloud) {
    const subnet = referenced(cloud, vpcSubnet, 'SubnetId', readText(input, 'SubnetId'));
    return { ...input, VpcId: readText(subnet, 'VpcId') };
  },
};

/** A network ACL, whose entries guard the subnets that it names. */
export const networkAcl: CloudType = {
  row: vpcNetworkAcl,
  references: { VpcId: vpcVpc, 'Resources/ResourceId': vpcSubnet },
  newId: (cloud) => cloud.newId('nacl'),
  make: (input) => ({ IngressAclEntries: [], EgressAclEntries: [], Resources: [], ...input }),
};

/** The route table that comes with each VPC. */
export const routeTable: CloudType = {
  row: vpcRouteTable,
  make: (input) => input,

  implied(id, cloud) {
    const vpc = cloud.all(vpcVpc).find((one) => readTexts(one, 'RouteTableIds').includes(id));
    if (vpc === undefined) return undefined;
    return { RouteTableId: id, VpcId: readText(vpc, 'VpcId'), CustomRouteEntries: [] };
  },
};

export const resolverRule: CloudType = {
  row: privatezoneResolverRule,
  newId: (cloud) => cloud.newId('rule'),
  make: (input) => ({ Enable: true, ...input }),
};

export const zoneAuthorization: CloudType = {
  row: privatezoneUserVpcAuthorization,
  make: (input) => input,
};

export const dnatEntry: CloudType = {
  row: natgatewayDnatentry,
  newId: (cloud) => cloud.newId('dnat'),
  make: (input) => input,
};

/** A rule of a firewall between VPCs, whose identifier begins with the firewall's. */
export const vpcFirewallRule: CloudType = {
  row: fwcenterVpcFireWallAclRule,
  make: (input, _, cloud) => ({ RuleId: cloud.newId('rule'), Status: true, ...input }),
};
