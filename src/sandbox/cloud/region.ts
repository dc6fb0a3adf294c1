/** The one region that the sandbox has, unless it is given another place. */
export const REGION = 'cn-beijing';

export const ZONES: readonly string[] = ['cn-beijing-a', 'cn-beijing-b', 'cn-beijing-c'];

/** The account that owns everything in the sandbox. */
export const ACCOUNT_ID = '2100000000';

/** The account of the AI-agent service: it owns the endpoints of private plugins. */
export const SERVICE_ACCOUNT_ID = '2100000001';

/** An endpoint service that endpoints can connect to. */
export interface CatalogueService {
  readonly serviceId: string;
  readonly serviceName: string;
  /** Follows the endpoint's id in the endpoint's domain. */
  readonly domainSuffix: string;
  readonly zones: readonly string[];
}

/** The AI-agent service's own endpoint service. It belongs to the same account, so it accepts at once. */
const AGENT_SERVICE: CatalogueService = {
  serviceId: 'epsvc-sandbox',
  serviceName: `com.volces.privatelink.${REGION}.epsvc-sandbox`,
  domainSuffix: `epsvc-sandbox.${REGION}.privatelink.volces.com`,
  zones: ZONES,
};

/** The region of a cloud, and the services that it offers there. */
export interface CloudPlace {
  readonly region: string;
  readonly zones: readonly string[];
  /** What endpoints can connect to, beside the enterprise's own endpoint services. */
  readonly catalogue: readonly CatalogueService[];
}

/** The sandbox's own. */
export const SANDBOX_PLACE: CloudPlace = {
  region: REGION,
  zones: ZONES,
  catalogue: [AGENT_SERVICE],
};
