import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Causes that lie between this machine and the endpoint, its routes included. */
export const PATH_CODES = codesWithExit(EXIT.tls, {
  'route.missing': {
    title: 'A route is missing',
    cause: 'No route leads from here to the address: peering, VPN or transit is not set up for it.',
    remedy: 'Add the route, or run the check inside the private network.',
    inspect: 'the route table of this machine’s subnet, and that of the return path',
    exit: EXIT.tcp,
  },
  'route.family': {
    title: 'The IPv4 or the IPv6 path is broken',
    cause: 'Only addresses of one IP family work.',
    remedy:
      'Check each family separately with --family 4 and --family 6; remove the records that lead nowhere.',
    exit: EXIT.tcp,
  },
  'path.name-filter': {
    title: 'The connection is filtered by TLS server name (SNI)',
    cause:
      'The other side behaves differently with another server name: a filter or load balancer decides by the name.',
    remedy:
      'Have the name allowed in the filter or load balancer, or send a name that works by the evidence as TLS server name.',
  },
  'path.filter': {
    title: 'Connections are cut on the path',
    cause:
      'A firewall or middlebox on the path rejects, resets or drops what its rules do not allow.',
    remedy: 'Look for firewalls and TLS filters between here and the address.',
  },
  'path.inspection': {
    title: 'TLS is intercepted on the path',
    cause: 'A proxy that inspects TLS, or a captive portal, answers in place of the service.',
    remedy: 'Exempt the host from inspection, or trust the inspecting authority with --ca-file.',
  },
  'path.gateway': {
    title: 'A gateway answers or changes the call',
    cause:
      'A gateway or web application firewall, on the path or in front of the service, answers this call itself because of its path, its headers or its sender, or passes it on without what it was sent with, such as the header `Authorization`, or twice.',
    remedy:
      'The message or body in the evidence may show who runs it; have the path, the header `Authorization`, this machine’s address and, with status 413, 414 or 431, the size of the call allowed there.',
    exit: EXIT.http,
  },
  'path.one-address': {
    title: 'Not every address leads to the service',
    cause:
      'Other addresses of the same name work, so the fault is at those that fail, or on the path to them.',
    remedy:
      'Check that each address that fails is still one of the service’s; then quote it and the time to the service’s support.',
    exit: EXIT.http,
  },
  'path.private-authority': {
    title: 'The certificate authority is not trusted here',
    cause:
      'The certificate is for the right name, but no trusted authority vouches for it: it is signed by itself or by a private authority that this machine does not have, or the server does not send the intermediate certificate of its chain.',
    remedy:
      'If the issuer in the evidence is a private authority, pass its certificate with --ca-file; if it is the intermediate of a public one, have the server send its whole chain.',
  },
  'path.mtu': {
    title: 'Large packets are lost on the path',
    cause:
      'The path MTU is smaller than the packets in one direction, and nothing reports it (path MTU black hole): what is small passes, what is large does not.',
    remedy:
      'Lower the MTU of this machine’s interface or clamp the MSS, and allow ICMP "fragmentation needed".',
    inspect: 'the MTU of tunnels, VPNs and gateways on the path, in both directions',
    exit: EXIT.http,
  },
  'path.configured-open': {
    title: 'The cloud’s configuration says open',
    cause:
      'As the cloud is configured, nothing that was read stops packets from the address in the evidence, and yet the check fails.',
    remedy:
      'Check that the address is the one by which the cloud sees this machine (--own-address). Then look at routes and filters outside of the configuration, also of this machine; if there are none, the cloud does not do what it is configured for: ask its support whether the rules are enforced.',
  },
});
