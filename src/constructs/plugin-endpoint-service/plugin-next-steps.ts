import type { AcceptedLink } from '../linked.js';

/** What a person does after a deploy of a private plugin, as lines of text. */
export function nextSteps(
  serviceId: string,
  serviceAccountId: string,
  connections: readonly AcceptedLink[],
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
