import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Causes that lie with this machine. */
export const HOST_CODES = codesWithExit(EXIT.tcp, {
  'host.outside-network': {
    title: 'The check runs outside the private network',
    cause:
      'The check runs outside the private network; an address from DNS, private or public, does not prove where it runs.',
    remedy:
      'Run the check on a machine in the private network, or in a network that is routed to it.',
    inspect: 'the VPC and the route table of this machine’s subnet',
  },
  'host.egress': {
    title: 'Outbound traffic is blocked on this host',
    cause:
      'The egress rules of this machine, its security group or its subnet do not let the packets out.',
    remedy: 'Allow egress on this side to the port and addresses in the evidence.',
    inspect:
      'the egress rules of this machine, and whether another one in the same subnet gets through',
  },
  'host.clock': {
    title: 'This machine’s clock and the server’s differ',
    cause:
      'This machine’s clock disagrees with the one that the service and its certificates go by; usually this machine’s clock is the wrong one.',
    remedy:
      'Compare this machine’s clock with a time server and synchronize it (NTP); if it is right, report it to the service’s support.',
    exit: EXIT.tls,
  },
});
