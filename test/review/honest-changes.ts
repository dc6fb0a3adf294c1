import type { Random } from '../reach/differential/random.js';

/** Settings, to be changed in place. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the settings of the moment have
export type Settings = any;

/** Changes settings so that nothing is opened, weakened or cut; false where there is nothing to change. */
type HonestChange = (settings: Settings, random: Random) => boolean;

const without = (all: Settings, random: Random, least = 1): boolean => {
  if (!Array.isArray(all) || all.length <= least) return false;
  all.splice(random.below(all.length), 1);
  return true;
};
const option =
  (name: string, change: (settings: Settings, random: Random) => unknown): HonestChange =>
  (settings, random) =>
    settings[name] !== undefined && change(settings[name], random) !== false;

/** A list keeps its version where nothing is left of it to change. */
const fewerAddresses = (settings: Settings, random: Random) =>
  without(settings.addresses?.entries, random, 24);
const noteList = (settings: Settings) => {
  if (settings.addresses === undefined) return false;
  settings.addresses.version = `2031-01-${10 + (settings.addresses.version.length % 10)}`;
  for (const entry of settings.addresses.entries) entry.source = 'another mail of the vendor';
  return true;
};
const moreRoom = (settings: Settings, random: Random) => {
  if (settings.prefixList === undefined) return false;
  settings.prefixList.headroom = 10 + random.below(9);
  return true;
};
const oneTargetLess = (settings: Settings, random: Random) => {
  // What the firewall denies it no longer denies: that is no honest change of this kind.
  const targets = ['securityGroup', 'prefixList'].filter((name) => settings[name] !== undefined);
  const all = targets.length + (settings.cloudFirewall === undefined ? 0 : 1);
  if (targets.length === 0 || all < 2) return false;
  delete settings[random.pick(targets)];
  if (settings.securityGroup === undefined && settings.prefixList?.vpcId === undefined) {
    delete settings.dnsServers;
  }
  return true;
};
const listAlone = (settings: Settings) => {
  if (settings.prefixList?.vpcId === undefined || settings.dnsServers !== undefined) return false;
  if (settings.cloudFirewall === undefined && settings.securityGroup === undefined) return false;
  delete settings.prefixList.vpcId;
  return true;
};

export const HONEST_CHANGES: Readonly<Record<string, HonestChange>> = {
  'another tag': (settings, random) => {
    settings.tags = { ...settings.tags, cost: String(random.below(1000)), ticket: 'NET-2' };
    return true;
  },
  'everything in another order': (settings) => {
    for (const [name, value] of Object.entries(reversed(settings) as object)) {
      delete settings[name];
      settings[name] = value;
    }
    return true;
  },
  'another wait': (settings, random) => {
    settings.check = { ...settings.check, wait: 100 + random.below(400) };
    return true;
  },
  'a stricter check': (settings) => {
    if (settings.check?.runOn === 'every-deploy') return false;
    settings.check = { ...settings.check, runOn: 'every-deploy', mode: 'required' };
    return true;
  },
  'a network split in two': option('serviceEndpoint', (endpoint, random) => {
    const whole = endpoint.allowedNetworks?.findIndex((cidr: string) => cidr.endsWith('/24')) ?? -1;
    if (whole < 0) return false;
    const [cidr] = endpoint.allowedNetworks.splice(whole, 1);
    const start = cidr.replace(/\d+\/24$/, '');
    const halves = [`${start}0/25`, `${start}128/25`];
    endpoint.allowedNetworks.push(...(random.below(2) === 0 ? halves : halves.reverse()));
    return true;
  }),
  'a network less': option('serviceEndpoint', (endpoint, random) =>
    without(endpoint.allowedNetworks, random),
  ),
  'half of a network': option('serviceEndpoint', (endpoint) => {
    const at = endpoint.allowedNetworks?.findIndex((cidr: string) => cidr.endsWith('/24')) ?? -1;
    if (at < 0) return false;
    endpoint.allowedNetworks[at] = endpoint.allowedNetworks[at].replace('/24', '/25');
    return true;
  }),
  'a group of others less': option('serviceEndpoint', (endpoint, random) =>
    without(endpoint.securityGroupIds, random),
  ),
  'a name server less': option('fixedIpEgress', (access, random) =>
    without(access.dnsServers, random),
  ),
  'a port less': option('fixedIpEgress', (access) => {
    if (!(access.ports?.length > 1)) return false;
    access.ports = access.ports.filter((port: number) => port === 443);
    return true;
  }),
  'an address of the service less': option('fixedIpEgress', fewerAddresses),
  'another version of the list': option('fixedIpEgress', noteList),
  'more room in the list': option('fixedIpEgress', moreRoom),
  'a target of the calls less': option('fixedIpEgress', oneTargetLess),
  'a list that no group here uses': option('fixedIpEgress', listAlone),
  'a caller less': option('fixedIpIngress', (plugin, random) =>
    without(plugin.addresses?.entries, random, 4),
  ),
  'another version of the callers': option('fixedIpIngress', noteList),
  'more room for callers': option('fixedIpIngress', moreRoom),
  'a target of the callers less': option('fixedIpIngress', oneTargetLess),
  'a list of callers that no group here uses': option('fixedIpIngress', listAlone),
  'a connection less': option('pluginEndpointService', (plugin, random) =>
    without(plugin.acceptedEndpointIds, random),
  ),
  'a server less': option('pluginEndpointService', (plugin, random) =>
    without(plugin.loadBalancer.servers, random),
  ),
  'one account': option('pluginEndpointService', (plugin) => {
    if (plugin.permittedAccountIds === undefined) return false;
    delete plugin.permittedAccountIds;
    delete plugin.permittedAccountsException;
    return true;
  }),
};

/** The same, with members of objects and lists in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed).reverse();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, reversed(inner)] as const)
      .reverse(),
  );
}

/** One change that can be made, in place, and its name. */
export function changeHonestly(settings: Settings, random: Random): string {
  const names = Object.keys(HONEST_CHANGES);
  for (;;) {
    const name = random.pick(names);
    if (HONEST_CHANGES[name]?.(settings, random)) return name;
  }
}
