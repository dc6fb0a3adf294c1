import {
  clbClb,
  clbListener,
  clbServerGroup,
  privatelinkEndpointService,
  vpcSubnet,
} from '../../../cloud/table/index.js';
import { type JsonObject, readObjects, readText } from '../../json.js';
import { CloudError, dependencyViolation } from '../cloud-error.js';
import { type CloudScope, type CloudType, referenced, users } from '../cloud-type.js';
import { addressIn } from '../endpoint-zones.js';
import { ACCOUNT_ID } from '../region.js';

/** An address of TEST-NET-3, for a public load balancer must have one. */
const PUBLIC_ADDRESS = '203.0.113.20';

export const loadBalancer: CloudType = {
  row: clbClb,

  make(input, prior, cloud) {
    const subnet = findSubnet(input, cloud);
    const id = prior ? readText(prior, 'LoadBalancerId') : cloud.newId('clb');
    const zone = readText(subnet, 'ZoneId');
    return {
      AddressIpVersion: 'ipv4',
      BypassSecurityGroupEnabled: 'off',
      Description: '',
      LoadBalancerBillingType: 2,
      LoadBalancerName: id,
      LoadBalancerSpec: 'small_1',
      MasterZoneId: zone,
      ModificationProtectionReason: '',
      ModificationProtectionStatus: 'NonProtection',
      ProjectName: 'default',
      SlaveZoneId: cloud.place.zones.find((other) => other !== zone) ?? zone,
      Tags: [],
      ...input,
      AccountId: ACCOUNT_ID,
      BusinessStatus: 'Normal',
      CreateTime: prior?.CreateTime ?? cloud.now(),
      DeletedTime: '',
      EipAddress: input.Type === 'public' ? PUBLIC_ADDRESS : '',
      EipID: input.Type === 'public' ? `eip-${id}` : '',
      Enabled: true,
      Eni: prior?.Eni ?? {
        EniAddress: addressIn(subnet, '', cloud),
        EniID: cloud.newId('eni'),
      },
      EniIpv6Address: '',
      ExpiredTime: '',
      LoadBalancerId: id,
      LockReason: '',
      OverdueTime: '',
      ServiceManaged: false,
      Status: 'Active',
      TimestampRemoveEnabled: 'off',
      UpdateTime: cloud.now(),
      VpcId: readText(subnet, 'VpcId'),
    };
  },

  checkDelete(properties, cloud) {
    const id = readText(properties, 'LoadBalancerId');
    if (properties.ModificationProtectionStatus === 'ConsoleProtection') {
      throw new CloudError('OperationDenied.ModificationProtection', `${id} is protected`);
    }
    const isOn = ({ LoadBalancerId }: JsonObject) => LoadBalancerId === id;
    const dependents = [
      ...users(cloud, clbListener, 'ListenerId', isOn),
      ...users(cloud, clbServerGroup, 'ServerGroupId', isOn),
      ...users(cloud, privatelinkEndpointService, 'ServiceId', (service) =>
        readObjects(service, 'Resources').some(({ ResourceId }) => ResourceId === id),
      ),
    ];
    if (dependents.length > 0) throw dependencyViolation(id, dependents);
  },

  read(properties, cloud) {
    const of = (row: typeof clbListener | typeof clbServerGroup, ...names: string[]) =>
      cloud
        .all(row.cloudType)
        .filter(({ LoadBalancerId }) => LoadBalancerId === properties.LoadBalancerId)
        .map((each) => Object.fromEntries(names.map((name) => [name, readText(each, name)])));
    return {
      Listeners: of(clbListener, 'ListenerId', 'ListenerName'),
      ServerGroups: of(clbServerGroup, 'ServerGroupId', 'ServerGroupName'),
    };
  },
};

/** The subnet that a load balancer is placed in. */
function findSubnet(input: JsonObject, cloud: CloudScope): JsonObject {
  for (const name of ['Type', 'SubnetId']) {
    if (!readText(input, name)) throw new CloudError('MissingProperty', `\`${name}\` is required`);
  }
  const subnet = referenced(cloud, vpcSubnet, 'SubnetId', readText(input, 'SubnetId'));
  const vpcId = readText(input, 'VpcId');
  if (vpcId !== '' && vpcId !== subnet.VpcId) {
    throw new CloudError(
      'InvalidSubnet.VpcMismatch',
      `\`SubnetId\` must be a subnet of \`VpcId\`, got: "${readText(input, 'SubnetId')}"`,
    );
  }
  for (const name of ['MasterZoneId', 'SlaveZoneId']) {
    const zone = readText(input, name);
    if (zone !== '' && !cloud.place.zones.includes(zone)) {
      throw new CloudError(
        `Invalid${name}.NotFound`,
        `\`${name}\` must be one of ${cloud.place.zones.join(', ')}, got: "${zone}"`,
      );
    }
  }
  return subnet;
}
