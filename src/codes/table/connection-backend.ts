import { codesWithExit, EXIT } from '../code-facts.js';

/** What is wrong with the connection over which the service calls a private plugin, and with the servers behind it. */
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
  'backend.refused': {
    title: 'The plugin’s server refuses connections',
    cause:
      'Nothing listens on the server’s port, or a firewall on the path rejects the connection.',
    remedy: 'Start the backend on the port that `servers` names, or correct the port.',
    isRetryable: true,
  },
  'backend.silent': {
    title: 'The plugin’s server accepts connections and does not answer',
    cause:
      'There was no complete answer to the health check within the time that the load balancer allows.',
    remedy:
      'Check the backend: it hangs, or its health check is waiting for something that does not answer.',
    isRetryable: true,
  },
  'backend.not-http': {
    title: 'The plugin’s server does not speak HTTP',
    cause:
      'The connection was cut, or the response is not plain HTTP, which the listener’s health check uses.',
    remedy:
      'Have the backend speak plain HTTP on that port, or choose the protocol TCP, which passes TLS through.',
    isRetryable: true,
  },
  'backend.unhealthy': {
    title: 'The plugin’s server does not answer the health check with 2xx',
    cause: 'The load balancer sends calls only to servers that answer `healthCheckPath` with 2xx.',
    remedy: 'Fix the backend, or choose a path that a healthy backend answers with 2xx.',
    isRetryable: true,
  },
});
