import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Faults of the connection over which the service calls a private plugin, and of what is behind it. */
export const PLUGIN_CODES = codesWithExit(EXIT.connection, {
  'connection.pending': {
    title: 'The private connection is awaiting acceptance',
    cause: 'The service’s endpoint requested the connection, and it has not been accepted yet.',
    remedy: 'Add the endpoint’s id to `acceptedEndpointIds` and deploy again.',
    seen: {
      'not requested': {
        title: 'There is no private connection',
        cause:
          'The service has no endpoint that has requested a connection to the endpoint service.',
        remedy:
          'Add a private connection in the service’s console with the id of the endpoint service, then accept it.',
      },
    },
  },
  'connection.lost': {
    title: 'The private connection is refused or has failed',
    cause:
      'The connection was rejected or cut, so that plugins that use it fail; the endpoint service does not exist or does not permit the service’s account; or it had nothing to serve the endpoint. The status or the message says which.',
    remedy:
      'Check the id of the endpoint service, its allow-list, which needs the service’s account, and the load balancer behind it; then delete the private connection in the service’s console, add it again with the same service id, and accept the new endpoint.',
  },
  'backend.unhealthy': {
    title: 'The plugin’s server does not answer as its load balancer needs',
    cause:
      'The load balancer sends calls only to servers that answer `healthCheckPath` with 2xx in plain HTTP, or, by TCP, that accept a connection. What was seen says how this one fails; a call may also be stopped before it, by a missing listener, a listener ACL or an ingress rule.',
    remedy:
      'Refused: start the backend on the port that `servers` names, or correct the port or the firewall. No answer: it hangs, or its health check waits for something. Another status: fix it, or choose a path that a healthy backend answers with 2xx. No HTTP: have it speak plain HTTP on that port, or choose the protocol TCP, which passes TLS through; one that closes without an answer may expect TLS or a header of the PROXY protocol, and its log tells. Traffic over a private connection arrives from 100.64.0.0/10.',
    isRetryable: true,
  },
});
