import { type CodeFacts, EXIT } from './code-facts.js';

/** Causes that lie with this machine, or on the way from it to the endpoint. */
export const WAY_CAUSE_CODES = {
  'host.outside-network': {
    title: 'The check runs outside the private network',
    cause:
      'The check runs outside the private network; an address from DNS, private or public, does not tell.',
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
      'This machine’s clock does not go with the one that the service and its certificates go by; mostly it is this machine’s that is wrong.',
    remedy:
      'Compare this machine’s clock with a time server and synchronise it (NTP); if it is right, tell the service’s support.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'route.missing': {
    title: 'A route is missing',
    cause: 'No route leads from here to the address: peering, VPN or transit is not set up for it.',
    remedy: 'Add the route, or run the check inside the private network.',
    look: 'the route table of this machine’s subnet, and the one on the way back',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'route.family': {
    title: 'The IPv4 or the IPv6 path is broken',
    cause: 'Addresses of the other family work.',
    remedy: 'Check alone with --family 4 or --family 6; remove the records that lead nowhere.',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'path.name-filter': {
    title: 'The connection is filtered by TLS server name (SNI)',
    cause:
      'With another server name the other side behaves otherwise: a filter or load balancer chooses by the name.',
    remedy: 'Send the API host as server name, or allow the name in the filter.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'path.filter': {
    title: 'Connections are cut on the path',
    cause: 'A firewall or middlebox on the way rejects, cuts or swallows what does not suit it.',
    remedy: 'Look for firewalls and TLS filters between here and the address.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'path.inspection': {
    title: 'TLS is intercepted on the path',
    cause: 'A proxy that inspects TLS, or a captive portal, answers in place of the service.',
    remedy: 'Exempt the host from inspection, or trust the inspecting authority with --ca-file.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'path.gateway': {
    title: 'A gateway answers in the service’s place',
    cause:
      'A gateway or web application firewall, on the way or in front of the service, answers this call itself, for its path, its headers or its sender.',
    remedy:
      'Find out by the body of the evidence whose it is; have the path and this machine’s address allowed there.',
    kind: 'final',
    exit: EXIT.http,
  },
  'path.one-address': {
    title: 'One address does not lead to the service',
    cause:
      'Other addresses of the same name work, so the fault is this one’s, or on the way to it.',
    remedy:
      'Check that the address is still one of the service’s; then quote it and the time to the service’s support.',
    kind: 'final',
    exit: EXIT.http,
  },
  'path.private-authority': {
    title: 'The authority is not trusted here',
    cause: 'The certificate is for the right name, from an authority that this machine lacks.',
    remedy: 'If the issuer of the evidence is the right one, give its certificate with --ca-file.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'path.mtu': {
    title: 'Large packets are lost on the way',
    cause: 'The path MTU is smaller than the packets, and nobody says so (path MTU black hole).',
    remedy:
      'Lower the MTU of this machine’s interface or clamp the MSS, and let ICMP "fragmentation needed" through.',
    look: 'the MTU of tunnels, VPNs and the endpoint on the way',
    kind: 'final',
    exit: EXIT.http,
  },
  'proxy.catches-host': {
    title: 'The proxy catches a host that is meant for the direct way',
    cause: 'Directly the service answers; through the proxy it does not.',
    remedy:
      'Add the full host name itself to NO_PROXY: every client understands that, and none compares a name with addresses or networks there.',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'proxy.needed': {
    title: 'Only the proxy leads to the service',
    cause: 'Through the proxy of the environment the service answers; the direct way fails.',
    remedy:
      'If the proxy is the way that is meant, check with --proxy; on a private link it leaves the private network.',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'proxy.leaves-network': {
    title: 'The way through the proxy is not the private one',
    cause:
      'Clients that obey the proxy of the environment reach the service by an address of the proxy’s choice, and so may leave the private network.',
    remedy:
      'Correct what fails on the direct way, and add the host name to NO_PROXY, so that clients take it.',
    look: 'the proxy’s network, and the address that it resolves the name to',
    kind: 'final',
    exit: EXIT.address,
  },
} as const satisfies Record<string, CodeFacts>;
