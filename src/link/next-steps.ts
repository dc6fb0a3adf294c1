import { tokenReference } from '../terraform/expressions.js';
import { partsOf, type Token } from '../terraform/template.js';
import type { Connection } from './link.js';

/** Returns the manual steps after a deploy of a private plugin, as lines of text. */
export function nextSteps(
  serviceId: string,
  serviceAccountId: string,
  connections: readonly Pick<Connection, 'endpointId' | 'status'>[],
): string {
  if (connections.length === 0) {
    return [
      `1. In the service's console, organization management, private network management: add a private connection and paste the endpoint service id ${serviceId}.`,
      `2. In the cloud's console, open the endpoint service ${serviceId}: copy the endpoint id of the pending connection that account ${serviceAccountId} owns.`,
      '3. Put that id into acceptedEndpointIds and deploy again: the deploy checks the owner, accepts the connection and waits until it is connected.',
    ].join('\n');
  }
  const states = connections.map(({ endpointId, status }) => `${endpointId} is ${status}`);
  return [
    `As of this deploy: ${states.join(', ')}.`,
    "1. In the service's console, private network management shows the connection as connected.",
    '2. When creating the plugin, choose that connection in its private connection setting.',
    "3. Call the plugin once: only a call from the service's side proves the path through the listener to a healthy server.",
    'Removing an id from acceptedEndpointIds cuts its connection, and every plugin on it fails.',
  ].join('\n');
}

/**
 * Reads the manual steps in a synthesized stack.
 *
 * @returns the connection that they tell people to accept, if any; undefined where this package does not write the text
 */
export function readNextSteps(text: string): { readonly accept?: string } | undefined {
  const parts = partsOf(text) ?? [];
  const connections = parts.flatMap(({ source, tokens = [] }, i) => {
    const [, endpointId] = /([\w-]+) is $/.exec(parts[i - 1]?.source ?? '') ?? [];
    const isStatus = isOf(tokens, 'vpc_endpoint_connection', 'connection_status');
    return endpointId !== undefined && isStatus ? [{ endpointId, status: source }] : [];
  });
  if (connections.length > 0) return nextSteps('', '', connections) === text ? {} : undefined;
  const service = parts.find(({ tokens = [] }) => isOf(tokens, 'endpoint_service', 'service_id'));
  const [, account = ''] = /that account (\S+) owns/.exec(text) ?? [];
  if (service === undefined || nextSteps(service.source, account, []) !== text) return undefined;
  return { accept: `of account ${account} to ${service.source}` };
}

function isOf(tokens: readonly Token[], type: string, attribute: string): boolean {
  const { path = [] } = tokenReference(tokens) ?? {};
  return (
    path.length === 3 && path[0] === `volcenginecc_privatelink_${type}` && path[2] === attribute
  );
}
