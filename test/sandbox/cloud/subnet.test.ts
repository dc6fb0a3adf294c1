import { describe, expect, test } from 'vitest';
import { BALANCER, buildEndpoint, emptyCloud, SUBNET, subnetInput, VPC } from '../support.js';

describe('a subnet', () => {
  test('counts the addresses that are left in it', () => {
    const cloud = emptyCloud();
    buildEndpoint(cloud);
    const [subnet] = cloud.list(SUBNET);
    expect(subnet?.properties).toMatchObject({
      TotalIpv4Count: 252,
      AvailableIpAddressCount: 251,
      RouteTable: { RouteTableType: 'System' },
    });
  });

  test.each([
    ['without its VPC', { VpcId: 'vpc-gone' }, 'got: "vpc-gone"'],
    ['outside the VPC', { CidrBlock: '10.21.1.0/24' }, 'must lie in the VPC'],
    ['wider than the VPC', { CidrBlock: '10.0.0.0/8' }, 'must lie in the VPC'],
    ['over another subnet', { CidrBlock: '10.20.0.0/20' }, 'overlaps subnet-'],
    ['too small', { CidrBlock: '10.20.9.0/30' }, 'at most /29'],
    ['in a zone that is not there', { ZoneId: 'cn-beijing-x' }, 'got: "cn-beijing-x"'],
  ])('is refused %s', (_, facts, message) => {
    const cloud = emptyCloud();
    const vpc = cloud.create(VPC, { CidrBlock: '10.20.0.0/16' });
    cloud.create(SUBNET, subnetInput(vpc));
    const input = subnetInput(vpc, { CidrBlock: '10.20.2.0/24', ...facts });
    expect(() => cloud.create(SUBNET, input)).toThrow(message);
  });

  test('is refused without what is required', () => {
    const cloud = emptyCloud();
    expect(() => cloud.create(SUBNET, { VpcId: 'vpc-1' })).toThrow('`CidrBlock` is required');
  });

  test('has no address for more than fit into it', () => {
    const cloud = emptyCloud();
    const vpc = cloud.create(VPC, { CidrBlock: '10.20.0.0/16' });
    const SubnetId = cloud.create(SUBNET, subnetInput(vpc, { CidrBlock: '10.20.1.0/29' }));
    const take = () => cloud.create(BALANCER, { Type: 'private', SubnetId });
    for (let left = Number(cloud.get(SUBNET, SubnetId).TotalIpv4Count); left > 0; left -= 1) take();
    expect(cloud.get(SUBNET, SubnetId).AvailableIpAddressCount).toBe(0);
    expect(take).toThrow('10.20.1.0/29 has no free address');
  });

  test('cannot be deleted while an endpoint has an address in it', () => {
    const cloud = emptyCloud();
    const endpoint = buildEndpoint(cloud);
    const [subnet] = cloud.list(SUBNET);
    const task = cloud.poll(cloud.startDelete(SUBNET, subnet?.identifier ?? '', ''));
    expect(task.error).toMatchObject({ code: 'DependencyViolation' });
    expect(task.error?.message).toContain(endpoint);
  });
});
