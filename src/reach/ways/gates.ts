import { text } from '../read/json.js';
import type { TerraformResource } from '../read/terraform-json.js';
import { makeGate } from '../rules/peers.js';
import type { ResourceIndex, RuleList } from '../rules/reading.js';

/** Finds the connection of an endpoint, as far as a source has it. */
export function findGates({ carrier, direction }: RuleList, index: ResourceIndex): RuleList[] {
  const endpoint = direction === 'ingress' ? index.at(carrier) : undefined;
  return endpoint === undefined ? [] : connectionGate(endpoint);
}

/** The states of a connection in which packets to its endpoint go nowhere. */
const UNCONNECTED = [
  'PendingAcceptance',
  'Connecting',
  'Disconnecting',
  'Rejected',
  'Failed',
  'ServiceDeleted',
];

/** No configuration has the state of a connection: the cloud and Terraform's states do. */
function connectionGate({ address, type, body }: TerraformResource): RuleList[] {
  const status = text(body.connection_status);
  if (type !== 'volcenginecc_privatelink_vpc_endpoint') return [];
  if (status === 'Connected') return [makeGate(address, true, 'the connection is accepted')];
  if (!UNCONNECTED.includes(status)) return [];
  return [makeGate(address, false, `the endpoint's connection is not accepted: ${status}`)];
}
