import { type Json, list, object, text } from '../reach/read/json.js';
import type { OpenCloud } from './read-outward.js';

const SERVICE = 'Volcengine::PrivateLink::EndpointService';
const CONNECTION = 'Volcengine::PrivateLink::VpcEndpointConnection';

/** A connection that somebody's endpoint asks for, and that is neither accepted nor rejected. */
export interface WaitingConnection {
  readonly service: string;
  readonly endpoint: string;
  /** Empty where the cloud does not say it. */
  readonly account: string;
  /** True if the service's allow-list names the account, which `*` does not; anybody else's connection is a stranger's. */
  readonly isListed: boolean;
}

/**
 * Reads which connections wait for endpoint services. Connections are listed and not found by their
 * service, so that those of other services of the account are passed by.
 *
 * @throws CloudControlError, or Error where the network fails
 */
export async function readWaiting(
  cloud: OpenCloud,
  services: readonly string[],
): Promise<WaitingConnection[]> {
  const listed = new Map<string, readonly string[]>();
  for (const id of services) {
    const found = await cloud.get(SERVICE, id);
    if (found) listed.set(id, list(found.properties.PermitAccountIds).map(text));
  }
  const waiting: WaitingConnection[] = [];
  if (listed.size === 0) return waiting;
  for await (const page of cloud.pages(CONNECTION)) {
    for (const { identifier, properties } of page) {
      if ('ServiceId' in properties && !listed.has(text(properties.ServiceId))) continue;
      const connection = await readWhole(cloud, identifier, properties);
      const accounts = listed.get(text(connection.ServiceId));
      if (accounts === undefined || connection.ConnectionStatus !== 'PendingAcceptance') continue;
      const account = text(connection.EndpointOwnerAccountId);
      waiting.push({
        service: text(connection.ServiceId),
        endpoint: text(connection.EndpointId),
        account,
        isListed: account !== '' && accounts.includes(account),
      });
    }
  }
  return waiting;
}

/** Reads a connection of which a list does not tell everything. */
async function readWhole(cloud: OpenCloud, identifier: string, listed: Json): Promise<Json> {
  const needed = ['ServiceId', 'ConnectionStatus', 'EndpointId', 'EndpointOwnerAccountId'];
  if (needed.every((name) => name in listed)) return listed;
  return object((await cloud.get(CONNECTION, identifier))?.properties);
}

/** Describes a waiting connection: with the line to paste, or as a stranger's, which is not offered. */
export function describeWaiting({ service, endpoint, account, isListed }: WaitingConnection) {
  const whose = account === '' ? 'an account that the cloud does not tell' : `account ${account}`;
  const what = `${endpoint} of ${whose} asks to be connected to ${service}`;
  return isListed
    ? `${what}; to accept it, add "${endpoint}" to \`acceptedEndpointIds\` and deploy again`
    : `${what}: a stranger's, for the allow-list does not name the account; do not accept it, reject it in the cloud's console`;
}
