import {
  Fn,
  type ITerraformDependable,
  type TerraformResource,
  type TerraformResourceLifecycle,
  TerraformStack,
  Token,
} from 'cdktf';
import { Construct } from 'constructs';
import { type AccessRule, peerCidrs } from '../../access/access-rule.js';
import { type CloudResource, cloud } from '../../cloud/resource.js';
import { REGION } from '../../cloud/table/names.js';
import { RECORD_TTL } from '../../link/link.js';
import { cidrsOverlap, parseCidr } from '../../net/cidr.js';
import { recognizeInBothForms } from '../../package/shared.js';
import type { BoundNetwork, IPrivateNetwork } from '../network-props.js';
import { type CommonProps, resourceProps } from '../props-and-outputs.js';
import type { ExistingZone } from './service-endpoint-props.js';

/** The endpoint that the API host resolves to. */
interface NamedEndpoint extends CommonProps {
  readonly apiHost: string;
  readonly endpoint: TerraformResource;
  /** The zones in which it has an interface. */
  readonly availabilityZones: readonly string[];
}

interface ApiHostZoneProps extends NamedEndpoint {
  /** Networks whose clients use the API host; more can be bound later. */
  readonly networks: readonly BoundNetwork[];
}

/** A zone's own name, as the host of a record. */
const APEX = '@';

/**
 * A private zone of exactly the API host: its addresses are the endpoint's, one record for each. It is
 * recursive, so that no other name is shadowed inside the VPC, and that the API host itself resolves
 * publicly while the zone is bound and has no records, before they are made and after they are gone.
 */
export class ApiHostZone extends Construct {
  static {
    recognizeInBothForms(ApiHostZone, 'ApiHostZone');
  }

  readonly apiHost: string;
  readonly resources: readonly ITerraformDependable[];
  readonly #dnsZone: CloudResource<'PrivatezonePrivateZone'>;
  readonly #networks: BoundNetwork[];
  /** The networks in which the API host resolves to the endpoint. */
  readonly networks: readonly BoundNetwork[];

  constructor(scope: Construct, id: string, props: ApiHostZoneProps) {
    super(scope, id);
    const { apiHost, networks, endpoint } = props;
    const dnsZone = new cloud.PrivatezonePrivateZone(this, 'Default', {
      zoneName: apiHost,
      vpcs: toVpcs(networks),
      recursionMode: true,
      // Bound to another network only when the endpoint is there.
      dependsOn: [endpoint],
      ...resourceProps(props),
    });
    const records = apiHostRecords(this, props, {
      zid: Token.asNumber(Fn.tonumber(dnsZone.attributes.zid)),
      host: APEX,
      // A record cannot go over to another zone, and a zone with records cannot be deleted.
      lifecycle: {
        replaceTriggeredBy: [`${dnsZone.terraformResourceType}.${dnsZone.friendlyUniqueId}.zid`],
      },
    });
    this.resources = [dnsZone, ...records];
    this.apiHost = apiHost;
    this.#dnsZone = dnsZone;
    this.#networks = [...networks];
    this.networks = this.#networks;
    this.node.addValidation({ validate: () => sharedNameProblems(this, apiHost) });
  }

  bind(network: BoundNetwork): void {
    this.#networks.push(network);
    this.#dnsZone.set({ vpcs: toVpcs(this.#networks) });
  }
}

function toVpcs(networks: readonly BoundNetwork[]) {
  return [...new Set(networks.map(({ vpcId }) => vpcId))].map((vpcId) => ({
    region: REGION,
    vpcId,
  }));
}

/** The cloud binds a VPC to one zone of a name only. */
function sharedNameProblems(dnsZone: ApiHostZone, apiHost: string): string[] {
  const own = dnsZone.networks.map(({ vpcId }) => vpcId);
  return TerraformStack.of(dnsZone)
    .node.findAll()
    .filter((other): other is ApiHostZone => other instanceof ApiHostZone && other !== dnsZone)
    .filter((other) => other.apiHost === apiHost)
    .filter(({ networks }) => networks.some(({ vpcId }) => own.includes(vpcId)))
    .map(
      ({ node }) =>
        `\`privateZone\` must be on for only one endpoint in a network, got: ${apiHost} here and at ${node.scope?.node.path}; several endpoints in one network have their own domains`,
    );
}

/**
 * Records of the endpoint's addresses, one for each availability zone.
 *
 * @param place their private zone, and their name in it
 */
function apiHostRecords(
  scope: Construct,
  { endpoint, availabilityZones, provider }: NamedEndpoint,
  place: {
    readonly zid: number;
    readonly host: string;
    readonly lifecycle?: TerraformResourceLifecycle;
  },
): CloudResource<'PrivatezoneRecord'>[] {
  return availabilityZones.map(
    (availabilityZone) =>
      new cloud.PrivatezoneRecord(scope, availabilityZone, {
        ...place,
        type: 'A',
        value: `\${one([for zone in ${endpoint.fqn}.zones : zone.private_ip_address if zone.zone_id == "${availabilityZone}"])}`,
        ttl: RECORD_TTL,
        provider,
      }),
  );
}

/** Records of the API host in a private zone that exists. */
export function existingZoneRecords(scope: Construct, props: NamedEndpoint & ExistingZone) {
  const { zoneId, zoneName, apiHost } = props;
  const host = apiHost === zoneName ? APEX : apiHost.slice(0, -zoneName.length - 1);
  // A record cannot go over to another zone: that of another zone is another one.
  const records = new Construct(scope, `zone-${zoneId}`);
  return apiHostRecords(records, props, { zid: zoneId, host });
}

/** The records that others enter, as an expression that gives them as JSON once the endpoint is there. */
export function recordsExpression(apiHost: string, endpoint: TerraformResource): string {
  const addresses = `sort([for zone in ${endpoint.fqn}.zones : zone.private_ip_address])`;
  const record = `{ name = "${apiHost}", type = "A", ttl = ${RECORD_TTL}, value = address }`;
  return `\${jsonencode([for address in ${addresses} : ${record}])}`;
}

/** Networks in which the API host resolves to the endpoint, but that it lets nobody in from. */
export function boundNetworkProblems(
  rules: readonly AccessRule[],
  networks: readonly BoundNetwork[],
): string[] {
  const allowed = peerCidrs(rules);
  return networks
    .filter(({ cidrs }) => cidrs.length > 0)
    .filter(
      ({ cidrs }) =>
        !cidrs.map(parseCidr).some((cidr) => allowed.some((one) => cidrsOverlap(cidr, one))),
    )
    .map(
      (network) =>
        `\`privateZone\` leads the clients of ${describeNetwork(network)} to the endpoint, which allows none of them; add their part of ${network.cidrs.join(', ')} to \`allowedNetworks\`, or call \`allowFrom\``,
    );
}

function describeNetwork(network: BoundNetwork | IPrivateNetwork): string {
  return 'node' in network ? network.node.path : network.vpcId;
}
