import { type CodeFacts, EXIT } from '../code-facts.js';

/** Causes that lie with this machine. */
export const HOST_CODES = {
  'host.outside-network': {
    title: 'The check runs outside the private network',
    cause:
      'The check runs outside the private network; an address from DNS, private or public, does not prove where it runs.',
    remedy: 'Run the check on a machine of the private network, or of one that is routed to it.',
    look: 'the VPC and the route table of this machine’s subnet',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'host.egress': {
    title: 'Outbound traffic is blocked on this host',
    cause:
      'The egress rules of this machine, its security group or its subnet do not let the packets out.',
    remedy: 'Allow the port towards the addresses of the evidence on this side.',
    look: 'whether another machine of the same subnet gets through; then the egress rules here',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'host.clock': {
    title: 'This machine’s clock and the server’s differ',
    cause:
      'This machine’s clock disagrees with the one by which the service and its certificates are valid; usually it is this machine’s that is wrong.',
    remedy:
      'Compare this machine’s clock with a time server and synchronise it (NTP); if it is right, report it to the service’s support.',
    kind: 'final',
    exit: EXIT.tls,
  },
} as const satisfies Record<string, CodeFacts>;
