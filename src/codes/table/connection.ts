import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Faults of the connection over which the service calls a private plugin. */
export const CONNECTION_CODES = codesWithExit(EXIT.connection, {
  'connection.missing': {
    title: 'There is no private connection',
    cause: 'The service has no endpoint that has requested a connection to the endpoint service.',
    remedy:
      'Add a private connection in the service’s console with the id of the endpoint service, then accept it.',
  },
  'connection.refused': {
    title: 'The private connection is refused',
    cause:
      'The cloud does not let the service’s account connect: the endpoint service does not exist, or does not permit that account.',
    remedy:
      'Check the id of the endpoint service, and that its allow-list contains the service’s account.',
  },
  'connection.pending': {
    title: 'The private connection is awaiting acceptance',
    cause: 'The service’s endpoint requested the connection, and it has not been accepted yet.',
    remedy: 'Add the endpoint’s id to `acceptedEndpointIds` and deploy again.',
  },
  'connection.rejected': {
    title: 'The private connection is rejected',
    cause: 'The connection was rejected or cut; plugins that use it fail.',
    remedy:
      'If that was not intended, delete the private connection in the service’s console, add it again with the same service id, and accept the new endpoint.',
  },
  'connection.failed': {
    title: 'The private connection has failed',
    cause:
      'The cloud could not connect the endpoint: the endpoint service had nothing to serve it.',
    remedy:
      'Check the load balancer behind the endpoint service; then add the private connection again and accept it.',
  },
  'plugin.unreachable': {
    title: 'The plugin’s backend is not reachable',
    cause:
      'The call arrives but is then stopped: there is no listener on the port, a listener ACL or an ingress rule blocks it, or no server accepts it.',
    remedy:
      'Check what the message names; traffic over a private connection arrives from 100.64.0.0/10.',
  },
});
