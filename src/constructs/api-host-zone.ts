import { Fn, type ITerraformDependable, type TerraformResource, Token } from 'cdktf';
import { Construct } from 'constructs';
import { PrivatezonePrivateZone, PrivatezoneRecord } from '../cloud/resource.js';
import { type CommonProps, cloudTags, projectOf } from './common-props.js';

export interface ApiHostZoneProps extends CommonProps {
  readonly apiHost: string;
  readonly vpcId: string;
  readonly endpoint: TerraformResource;
  /** Zones that the endpoint stands in. */
  readonly zones: readonly string[];
}

const REGION = 'cn-beijing';

/** Seconds; short, for the addresses change when the endpoint is replaced. */
const TTL = 60;

/**
 * A private zone of exactly the API host: its addresses are the endpoint's, one record a zone. It is
 * recursive, so that no other name is shadowed inside the VPC, and that the API host itself resolves
 * publicly while the zone is bound and has no records, before they are made and after they are gone.
 */
export class ApiHostZone extends Construct {
  readonly resources: readonly ITerraformDependable[];

  constructor(scope: Construct, id: string, props: ApiHostZoneProps) {
    super(scope, id);
    const { apiHost, vpcId, endpoint, zones, tags, provider } = props;
    const zone = new PrivatezonePrivateZone(this, 'Default', {
      zoneName: apiHost,
      vpcs: [{ region: REGION, vpcId }],
      recursionMode: true,
      projectName: projectOf(props),
      tags: cloudTags(tags),
      // Bound to another network only when the endpoint is there.
      dependsOn: [endpoint],
      ...(provider && { provider }),
    });
    const records = zones.map(
      (zoneId) =>
        new PrivatezoneRecord(this, zoneId, {
          zid: Token.asNumber(Fn.tonumber(zone.attributes.zid)),
          host: '@',
          type: 'A',
          value: `\${one([for zone in ${endpoint.fqn}.zones : zone.private_ip_address if zone.zone_id == "${zoneId}"])}`,
          ttl: TTL,
          // A record cannot go over to another zone, and a zone with records cannot be deleted.
          lifecycle: {
            replaceTriggeredBy: [`${zone.terraformResourceType}.${zone.friendlyUniqueId}.zid`],
          },
          ...(provider && { provider }),
        }),
    );
    this.resources = [zone, ...records];
  }
}
