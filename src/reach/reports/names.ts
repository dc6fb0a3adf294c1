/** Returns the text for a resource, given its Terraform address. */
export type ResourceNames = (address: string) => string;

/** Words for kinds of resources, by their types without the provider's name. */
const NOUNS: Readonly<Record<string, string>> = {
  clb_acl: 'access list',
  clb_clb: 'load balancer',
  clb_listener: 'listener',
  clb_server_group: 'server group',
  fwcenter_address_book: 'address book',
  fwcenter_control_policy: 'firewall policy',
  privatelink_endpoint_service: 'endpoint service',
  privatelink_vpc_endpoint: 'endpoint',
  privatelink_vpc_endpoint_connection: 'connection',
  privatezone_private_zone: 'private zone',
  privatezone_record: 'DNS record',
  vpc_eni: 'network interface',
  vpc_network_acl: 'network ACL',
  vpc_prefix_list: 'prefix list',
  vpc_security_group: 'security group',
  vpc_subnet: 'subnet',
  vpc_vpc: 'VPC',
};

const TYPE = /^(?:module\..*?\.)?(?:data\.)?volcenginecc_(\w+)\./;

/** Returns the word for the kind of a resource; undefined for a type without one. */
export function nounOf(address: string): string | undefined {
  return NOUNS[TYPE.exec(address)?.[1] ?? ''];
}

/** Terraform's addresses without their types, and without what cdktf adds to keep names apart. */
export function shortName(address: string): string {
  return address
    .replaceAll(/\b(?:data\.)?volcenginecc_\w+\./g, '')
    .replaceAll(/_[0-9A-F]{8}\b/g, '')
    .replace(/^(?:Cloud Firewall,|network ACL) /, '');
}

/**
 * Names resources by their kinds and own names: `security group service-endpoint`. Those that would be called alike
 * keep their addresses, and so does what has no such kind.
 *
 * @param all addresses of everything that one report names
 */
export function resourceNames(all: readonly string[]): ResourceNames {
  const known = new Set(all);
  const called = [...known].map((address) => [nameOf(address), address] as const);
  const isShared = (name: string) => called.filter(([one]) => one === name).length > 1;
  const names = new Map(
    called.map(([name, address]) => [address, isShared(name) ? address : name] as const),
  );
  return (address) => names.get(address) ?? address;
}

function nameOf(address: string): string {
  const noun = nounOf(address);
  return noun === undefined ? address : `${noun} ${shortName(address)}`;
}
