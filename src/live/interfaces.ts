import type { CloudObjects } from '../reach/read/cloud-state.js';
import { type Json, list, object, text } from '../reach/read/json.js';

export const INTERFACE = 'Volcengine::VPC::ENI';
export const ENDPOINT = 'Volcengine::PrivateLink::VpcEndpoint';

/** Returns the private addresses of a network interface. */
export function addressesOf({ PrimaryIpAddress: primary, PrivateIpSets: more }: Json): string[] {
  return [primary, ...list(more)]
    .map((one) => text(object(one).PrivateIpAddress))
    .filter((address) => address !== '');
}

/**
 * Leaves one of the interfaces that the same groups and the same subnet guard, named with the number of
 * the others; and none that has just the groups of its endpoint, which stands for it.
 */
export function foldInterfaces(resources: CloudObjects['resources']): CloudObjects['resources'] {
  const { [INTERFACE]: all = {}, [ENDPOINT]: endpoints = {} } = resources;
  const placeOf = ({ SecurityGroupIds: groups, SubnetId: subnet }: Json) =>
    JSON.stringify([text(subnet), ...list(groups).map(text).sort()]);
  const ofEndpoints = new Set(
    Object.values(endpoints).flatMap(({ SecurityGroupIds: groups, Zones: zones }) =>
      list(zones).map((zone) => {
        const { SubnetId: subnet, PrivateIpAddress: address } = object(zone);
        return `${text(address)} ${placeOf({ SecurityGroupIds: groups, SubnetId: subnet })}`;
      }),
    ),
  );
  const alike = new Map<string, string[]>();
  for (const [id, one] of Object.entries(all)) {
    const place = placeOf(one);
    if (addressesOf(one).some((address) => ofEndpoints.has(`${address} ${place}`))) continue;
    alike.set(place, [...(alike.get(place) ?? []), id]);
  }
  const left = [...alike.values()].map(([id = '', ...others]) => [
    others.length === 0 ? id : `${id}_and_${others.length}_more`,
    all[id] ?? {},
  ]);
  return { ...resources, [INTERFACE]: Object.fromEntries(left) };
}
