/** What it means for connections and clients when a resource goes away or changes. */
interface Effects {
  readonly removed: string;
  /** Terraform destroys it and makes another. @default - what `removed` says, until the new one is there */
  readonly replaced?: string;
  /** By attribute: what a change in place means. */
  readonly changed?: Readonly<Record<string, string>>;
}

export const EFFECTS: Readonly<Record<string, Effects>> = {
  volcenginecc_privatelink_vpc_endpoint: {
    removed: 'the endpoint and its domain go away: every client of the domain is cut off',
    replaced:
      'a new endpoint with a new domain: every client is cut off until it calls the new domain',
    changed: {
      zones: 'addresses of the endpoint come or go with its zones',
      security_group_ids: 'other groups decide who may use the endpoint',
      private_dns_enabled: 'the names that resolve to the endpoint change',
    },
  },
  volcenginecc_privatelink_endpoint_service: {
    removed: 'every connection to the backend is cut, and the service id is gone for good',
    replaced: 'a new service id: every connection is cut, and each must be made and accepted anew',
    changed: {
      permit_account_ids:
        'other accounts may ask for connections; existing connections are not cut',
      resources: 'calls go to another backend',
      private_dns_name: 'the name that the service calls the backend by changes',
      private_dns_enabled: 'the name that the service calls the backend by changes',
    },
  },
  volcenginecc_privatelink_vpc_endpoint_connection: {
    removed: 'the connection is rejected: calls over it are cut at once',
    replaced: 'the connection is cut, and another one is accepted',
  },
  volcenginecc_vpc_vpc: {
    removed: 'the network goes away with everything in it',
    replaced: 'a new network: everything in it is made anew, and connections are cut',
  },
  volcenginecc_vpc_subnet: {
    removed: 'addresses of endpoints in the zone go away',
    replaced: 'endpoints in the zone get new addresses: connections to the old ones are cut',
  },
  volcenginecc_vpc_security_group: {
    removed: 'what it let through is closed',
    replaced: 'a new group takes its place; until it is attached, what it let through is closed',
  },
  volcenginecc_vpc_prefix_list: {
    removed: 'rules that used the list let nothing through',
    replaced: 'until the new list is used, its rules let nothing through',
  },
  volcenginecc_clb_clb: {
    removed: 'calls to the backend fail',
    replaced: 'calls to the backend fail until the new load balancer is connected',
  },
  volcenginecc_clb_listener: {
    removed: 'calls to the port fail',
    replaced: 'calls to the port fail until the new listener is there',
    changed: {
      server_group_id: 'calls go to another backend',
      enabled: 'the port opens or closes',
    },
  },
  volcenginecc_clb_server_group: {
    removed: 'calls to the backend fail',
    replaced: 'calls to the backend fail until the new group serves',
    changed: { servers: 'calls go to other servers' },
  },
  volcenginecc_clb_acl: {
    removed: 'the listener no longer knows whom to let in',
    replaced: 'until the new list is used, the listener lets nobody in',
  },
  volcenginecc_fwcenter_control_policy: {
    removed: 'Cloud Firewall decides by its other policies',
    replaced: 'between the old policy and the new one, Cloud Firewall decides by its others',
  },
  volcenginecc_fwcenter_address_book: {
    removed: 'policies that used the book match nothing',
    replaced: 'until the new book is used, its policies match nothing',
  },
  volcenginecc_privatezone_private_zone: {
    removed: 'its names resolve as they do on the internet again',
    replaced: 'its names resolve as on the internet until the new zone answers',
    changed: { vpcs: 'its names resolve in other networks' },
  },
  volcenginecc_privatezone_record: {
    removed: 'the name no longer resolves to the endpoint: its clients leave the private path',
    replaced: 'the name does not resolve for a moment',
    changed: {
      host: 'clients must use another name',
      type: 'the name resolves in another way',
      value: 'the name resolves to something else',
      enable: 'the name starts or stops resolving',
    },
  },
};
