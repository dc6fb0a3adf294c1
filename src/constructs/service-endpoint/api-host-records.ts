import type { TerraformProvider, TerraformResource, TerraformResourceLifecycle } from 'cdktf';
import { Construct } from 'constructs';
import { PrivatezoneRecord } from '../../cloud/resource.js';
import { RECORD_TTL } from '../../link/records.js';
import type { ExistingZone } from './service-endpoint-props.js';

/** A zone's own name, as the host of a record. */
export const APEX = '@';

interface RecordsProps {
  readonly zid: number;
  /** Name in the zone. */
  readonly host: string;
  readonly endpoint: TerraformResource;
  /** Zones where the endpoint has an interface. */
  readonly zones: readonly string[];
  readonly lifecycle?: TerraformResourceLifecycle;
  readonly provider?: TerraformProvider | undefined;
}

/** Records of the endpoint's addresses, one a zone. */
export function apiHostRecords(
  scope: Construct,
  { zid, host, endpoint, zones, lifecycle, provider }: RecordsProps,
): PrivatezoneRecord[] {
  return zones.map(
    (zoneId) =>
      new PrivatezoneRecord(scope, zoneId, {
        zid,
        host,
        type: 'A',
        value: `\${one([for zone in ${endpoint.fqn}.zones : zone.private_ip_address if zone.zone_id == "${zoneId}"])}`,
        ttl: RECORD_TTL,
        ...(lifecycle && { lifecycle }),
        ...(provider && { provider }),
      }),
  );
}

export interface ExistingZoneRecordsProps extends ExistingZone {
  readonly apiHost: string;
  readonly endpoint: TerraformResource;
  readonly zones: readonly string[];
  readonly provider?: TerraformProvider | undefined;
}

/** Records of the API host in a private zone that exists. */
export class ExistingZoneRecords extends Construct {
  readonly resources: readonly PrivatezoneRecord[];

  constructor(scope: Construct, id: string, props: ExistingZoneRecordsProps) {
    super(scope, id);
    const { zoneId, zoneName, apiHost, endpoint, zones, provider } = props;
    const host = apiHost === zoneName ? APEX : apiHost.slice(0, -zoneName.length - 1);
    this.resources = apiHostRecords(this, { zid: zoneId, host, endpoint, zones, provider });
  }
}

/** The records that others enter, as an expression that gives them as JSON once the endpoint is there. */
export function recordsExpression(apiHost: string, endpoint: TerraformResource): string {
  const addresses = `sort([for zone in ${endpoint.fqn}.zones : zone.private_ip_address])`;
  const record = `{ name = "${apiHost}", type = "A", ttl = ${RECORD_TTL}, value = address }`;
  return `\${jsonencode([for address in ${addresses} : ${record}])}`;
}
