import { list, object, text } from '../../reach/read/json.js';
import { soleReference } from '../../terraform/expressions.js';
import {
  guard,
  LABEL,
  LABELS,
  OTHER_BACKEND,
  OTHER_NETWORK,
  PACE,
  RESOLVES,
  type TypesOf,
  to,
} from './reviewed-type.js';

const OTHER_SERVICE = to('calls, with their JWTs and tokens, go to another service');
const OTHER_NAME = to('the name that the service calls the backend by changes');

/** A subnet that this tree makes; any other expression could name another's. */
function isOwnSubnet(id: string): boolean {
  const { path = [] } = soleReference(id) ?? {};
  return path.length === 3 && path[0] === 'volcenginecc_vpc_subnet' && path[2] === 'subnet_id';
}

export const PRIVATELINK_TYPES: TypesOf<'privatelink'> = {
  volcenginecc_privatelink_vpc_endpoint: {
    name: 'the endpoint',
    effects: {
      cutsAll: true,
      removed: 'the endpoint and its domain go away: every client of the domain is cut off',
      replaced:
        'a new endpoint with a new domain: every client is cut off until it calls the new domain',
      changed: {
        zones: 'addresses of the endpoint come or go with its zones',
        security_group_ids: 'other groups decide who may use the endpoint',
        private_dns_enabled: 'the names that resolve to the endpoint change',
      },
    },
    model: {
      access: ['security_group_ids'],
      facts: {
        service_id: OTHER_SERVICE,
        service_name: OTHER_SERVICE,
        vpc_id: OTHER_NETWORK,
        zones: {
          ...to('the endpoint is in a subnet that this tree does not describe', 'added'),
          members: (zones) =>
            list(zones)
              .map((zone) => text(object(zone).subnet_id))
              .filter((id) => !isOwnSubnet(id)),
        },
        private_dns_enabled: RESOLVES,
        ip_address_versions: to('the endpoint answers with another IP family', 'added'),
      },
      harmless: { [LABEL]: [...LABELS, 'endpoint_name'] },
    },
  },
  volcenginecc_privatelink_endpoint_service: {
    name: 'the endpoint service',
    effects: {
      cutsAll: true,
      removed: 'every connection to the backend is cut, and the service id is gone for good',
      replaced:
        'a new service id: every connection is cut, and each must be created and accepted again',
      changed: {
        permit_account_ids:
          'other accounts may ask for connections; existing connections are not cut',
        resources: 'calls go to another backend',
        private_dns_name: 'the name that the service calls the backend by changes',
        private_dns_enabled: 'the name that the service calls the backend by changes',
      },
    },
    model: {
      access: ['permit_account_ids'],
      facts: {
        auto_accept_enabled: guard('connections are accepted by themselves'),
        resources: {
          ...OTHER_BACKEND,
          members: (resources) => list(resources).map((one) => text(object(one).resource_id)),
        },
        service_resource_type: OTHER_BACKEND,
        service_type: OTHER_BACKEND,
        ip_address_versions: to('the service answers with another IP family', 'added'),
        private_dns_enabled: OTHER_NAME,
        private_dns_name: OTHER_NAME,
        private_dns_type: OTHER_NAME,
        wildcard_domain_enabled: OTHER_NAME,
        enable_verify_private_dns: guard('ownership of the name is verified differently'),
        service_owner: { ...to('the service belongs to someone else'), kind: 'control' },
        service_name_managed: OTHER_NAME,
        service_name_suffix: OTHER_NAME,
      },
      harmless: { [LABEL]: LABELS, 'decides who pays': ['payer'] },
    },
  },
  volcenginecc_privatelink_vpc_endpoint_connection: {
    name: 'the accepted connection',
    effects: {
      removed: 'the connection is rejected: calls over it are cut at once',
      replaced: 'the connection is cut, and another one is accepted',
    },
    model: {
      access: ['endpoint_id', 'service_id'],
      facts: { resources_allocate: OTHER_BACKEND, zone_id: OTHER_BACKEND },
      harmless: { [PACE]: ['bps'] },
    },
  },
};
