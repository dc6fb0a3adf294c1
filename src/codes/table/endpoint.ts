import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Causes that lie with the endpoint and what is behind it. */
export const ENDPOINT_CODES = codesWithExit(EXIT.tcp, {
  'endpoint.missing': {
    title: 'The endpoint or its record does not exist',
    cause: 'The name belongs to an endpoint that was deleted, renamed or never created.',
    remedy: 'Compare the base URL with the domain of the deployed endpoint; deploy again.',
    inspect: 'the endpoint’s `endpoint_domain` and status',
    exit: EXIT.dns,
  },
  'endpoint.not-accepted': {
    title: 'The endpoint connection is not accepted',
    cause: 'The provider has not accepted the connection yet, or has rejected it.',
    remedy: 'Wait if it is pending; otherwise ask the provider to accept it.',
    inspect:
      'the endpoint’s `connection_status`: PendingAcceptance and Connecting resolve by themselves, Rejected and Failed do not',
    isRetryable: true,
  },
  'endpoint.security-group': {
    title: 'The endpoint’s security group drops the packets',
    cause:
      'The endpoint’s security group or the network ACL of its subnet allows no inbound traffic from here.',
    remedy: 'Allow the port from this machine’s network in the endpoint’s security group.',
    inspect:
      'the inbound rules of the endpoint’s security group, for this port and this machine’s address',
  },
  'endpoint.no-listener': {
    title: 'Nothing listens behind the endpoint',
    cause: 'The address is right, but no listener accepts connections on the port.',
    remedy: 'Check the port of the base URL, then the listeners behind the endpoint service.',
    inspect: 'the listeners of the load balancer behind the endpoint service',
  },
  'endpoint.no-target': {
    title: 'The endpoint service has no healthy target',
    cause: 'The endpoint accepts the connection, but nothing behind it answers.',
    remedy: 'Ask the provider about the health of the targets behind the endpoint service.',
    inspect: 'the health of the server group behind the endpoint service',
    isRetryable: true,
    exit: EXIT.tls,
  },
  'endpoint.wrong-service': {
    title: 'The endpoint leads to another service',
    cause: 'What answers is not the service that the link is for.',
    remedy: 'Check which endpoint service the endpoint belongs to, and the base URL.',
    inspect: 'the endpoint’s `service_name`',
    exit: EXIT.tls,
  },
  'endpoint.zone': {
    title: 'Not every address of the endpoint works',
    cause:
      'Other addresses of the endpoint work, so the fault is at those that fail, or on the path to them.',
    remedy:
      'Check the network interface, subnet and security group in the zone of each address that fails; if connections to it open, check the targets that serve the zone.',
    inspect: 'the endpoint’s zones: `network_interface_ip` and `zone_status`',
  },
  'endpoint.address-gone': {
    title: 'No host has the address',
    cause:
      'The endpoint or its network interface was deleted, so no host on its subnet answers for the address.',
    remedy: 'Compare the address with the endpoint’s network interfaces; deploy again.',
    inspect: 'the endpoint’s zones: `network_interface_ip`',
  },
  'endpoint.stale-record': {
    title: 'The record does not lead to the endpoint',
    cause:
      'The name leads to another address than the endpoint’s: the record, or an answer that is still cached, was left over from an earlier endpoint or belongs to another one, or the DNS server has another record for it.',
    remedy: 'Correct the record, and lower its TTL before the next change; cached answers expire.',
    inspect: 'the record in the private zone, compared with the endpoint’s `network_interface_ip`',
    isRetryable: true,
    exit: EXIT.address,
  },
  'endpoint.replaced': {
    title: 'The expected addresses are out of date',
    cause: 'The endpoint was replaced after the expected addresses were written down.',
    remedy: 'Deploy again, or read the expected addresses from the outputs of the last deploy.',
    inspect: 'the endpoint’s zones: `network_interface_ip`',
    exit: EXIT.address,
  },
});
