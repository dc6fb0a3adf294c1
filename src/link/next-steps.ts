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

const SERVICE = /\$\{volcenginecc_privatelink_endpoint_service\.[\w-]+\.service_id\}/;
const STATES =
  /^As of this deploy: ((?:(?:, )?[\w-]+ is \$\{volcenginecc_privatelink_vpc_endpoint_connection\.[\w-]+\.connection_status\})+)\.$/m;

/**
 * Reads steps as a synthesized stack has them: whose connection people are told to accept, nothing where
 * they are told to accept none.
 *
 * @returns undefined where the text is not one that this package writes
 */
export function readNextSteps(text: string): { readonly accept?: string } | undefined {
  const [states] = STATES.exec(text)?.slice(1) ?? [];
  if (states !== undefined) {
    const connections = states.split(', ').map((state) => {
      const [endpointId = '', status = ''] = state.split(' is ');
      return { endpointId, status };
    });
    return nextSteps('', '', connections) === text ? {} : undefined;
  }
  const [service = ''] = SERVICE.exec(text) ?? [];
  const [, account = ''] = /that account (\S+) owns/.exec(text) ?? [];
  if (nextSteps(service, account, []) !== text) return undefined;
  return { accept: `of account ${account} to ${service}` };
}
