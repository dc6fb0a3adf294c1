import {
  Fn,
  type ITerraformDependable,
  type TerraformResource,
  TerraformStack,
  Token,
} from 'cdktf';
import { Construct } from 'constructs';
import { PrivatezonePrivateZone } from '../../cloud/resource.js';
import { type CommonProps, cloudTags, projectOf } from '../common-props.js';
import type { BoundNetwork } from '../network/network-props.js';
import { APEX, apiHostRecords } from './api-host-records.js';

export interface ApiHostZoneProps extends CommonProps {
  readonly apiHost: string;
  /** Where clients use the API host; more networks can be bound later. */
  readonly networks: readonly BoundNetwork[];
  readonly endpoint: TerraformResource;
  /** Zones of the endpoint. */
  readonly zones: readonly string[];
}

const REGION = 'cn-beijing';

/**
 * A private zone of exactly the API host: its addresses are the endpoint's, one record a zone. It is
 * recursive, so that no other name is shadowed inside the VPC, and that the API host itself resolves
 * publicly while the zone is bound and has no records, before they are made and after they are gone.
 */
export class ApiHostZone extends Construct {
  readonly apiHost: string;
  readonly resources: readonly ITerraformDependable[];
  readonly #zone: PrivatezonePrivateZone;
  readonly #networks: BoundNetwork[];

  constructor(scope: Construct, id: string, props: ApiHostZoneProps) {
    super(scope, id);
    const { apiHost, networks, endpoint, zones, tags, provider } = props;
    const zone = new PrivatezonePrivateZone(this, 'Default', {
      zoneName: apiHost,
      vpcs: vpcsOf(networks),
      recursionMode: true,
      projectName: projectOf(props),
      tags: cloudTags(tags),
      // Bound to another network only when the endpoint is there.
      dependsOn: [endpoint],
      ...(provider && { provider }),
    });
    const records = apiHostRecords(this, {
      ...{ endpoint, zones, provider },
      zid: Token.asNumber(Fn.tonumber(zone.attributes.zid)),
      host: APEX,
      // A record cannot go over to another zone, and a zone with records cannot be deleted.
      lifecycle: {
        replaceTriggeredBy: [`${zone.terraformResourceType}.${zone.friendlyUniqueId}.zid`],
      },
    });
    this.resources = [zone, ...records];
    this.apiHost = apiHost;
    this.#zone = zone;
    this.#networks = [...networks];
    this.node.addValidation({ validate: () => sharedNameProblems(this, apiHost) });
  }

  /** The networks in which the API host resolves to the endpoint. */
  get networks(): readonly BoundNetwork[] {
    return this.#networks;
  }

  bind(network: BoundNetwork): void {
    this.#networks.push(network);
    this.#zone.set({ vpcs: vpcsOf(this.#networks) });
  }
}

function vpcsOf(networks: readonly BoundNetwork[]) {
  return [...new Set(networks.map(({ vpcId }) => vpcId))].map((vpcId) => ({
    region: REGION,
    vpcId,
  }));
}

/** The cloud binds a VPC to one zone of a name only. */
function sharedNameProblems(zone: ApiHostZone, apiHost: string): string[] {
  const own = zone.networks.map(({ vpcId }) => vpcId);
  return TerraformStack.of(zone)
    .node.findAll()
    .filter((other): other is ApiHostZone => other instanceof ApiHostZone && other !== zone)
    .filter((other) => other.apiHost === apiHost)
    .filter(({ networks }) => networks.some(({ vpcId }) => own.includes(vpcId)))
    .map(
      ({ node }) =>
        `\`privateZone\` must be on for one endpoint of a network only, got: ${apiHost} here and at ${node.scope?.node.path}; several endpoints in one network have domains of their own`,
    );
}
