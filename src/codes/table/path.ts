import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Reasons why no connection opens, and what lies between this machine and the server: a proxy, the path, the endpoint. */
export const PATH_CODES = codesWithExit(EXIT.tcp, {
  'proxy.bypass': {
    title: 'The service should be called without the proxy',
    cause: 'The service answers directly, but not through the proxy.',
    remedy: 'Add the full host name itself to NO_PROXY, which every client understands.',
    seen: {
      indirect: {
        cause:
          'Clients that use the proxy in the environment reach the service at an address that the proxy chooses, and so may leave the private network.',
        remedy: 'Fix the direct path, and add the host name to NO_PROXY so that clients take it.',
        inspect: 'the proxy’s network, and the address that it resolves the name to',
      },
    },
  },
  'proxy.needed': {
    title: 'The service is reachable only through the proxy',
    cause: 'The service answers through the proxy in the environment; the direct path fails.',
    remedy:
      'If the proxy is meant to be used, check with --proxy; on a private link, traffic through it leaves the private network.',
  },
  'proxy.refused': {
    title: 'The proxy opens no tunnel',
    cause: 'The proxy answered the CONNECT request with an error of its own.',
    remedy:
      'Status 407: provide the proxy’s credentials; 429: call less often, or have the limit raised; 511: log in to the network first; 403: have the host allowed, or add it to NO_PROXY; other 5xx: the proxy cannot reach the host.',
    seen: {
      'no answer': {
        cause: 'No connection to the proxy could be opened, or it did not speak HTTP.',
        remedy: 'Check the proxy’s address and port, or check without --proxy.',
        isRetryable: true,
        isOfTime: true,
      },
      'other login': {
        cause: 'The proxy wants a login that is not supported here, such as NTLM or Negotiate.',
        remedy:
          'Have the host allowed without a login or by Basic, or run a proxy on this machine that logs in to it, and give that one with --proxy.',
      },
    },
  },
  'tcp.timeout': {
    title: 'The connection attempt gets no answer',
    cause:
      'Something on the path drops the packets: a security group or network ACL, a missing route, or an endpoint connection that is not accepted yet.',
    withoutEndpoint: {
      cause:
        'Something on the path drops the packets, or the answers to them: a firewall, security group or network ACL, or a missing route.',
      remedy:
        'Check that this side lets packets out to the address and port in the evidence (security group, firewall, NAT), then the routes.',
    },
    remedy:
      'Check the endpoint’s security group (inbound, the port, from this machine’s network), then the endpoint’s connection status, then the routes.',
    isRetryable: true,
    isOfTime: true,
  },
  'tcp.refused': {
    title: 'The connection is refused',
    cause:
      'The host at the address refuses the connection: nothing listens on the port, or a firewall rejects it.',
    remedy:
      'Check the port of the base URL and the address, then the listeners behind the endpoint service.',
    inspect: 'the listeners of the load balancer behind the endpoint service',
    withoutEndpoint: {
      remedy:
        'Check the port of the base URL and the address that the name resolves to, and firewalls on this side that reject connections.',
      inspect: 'the listeners of the server at the address',
    },
  },
  'tcp.unreachable': {
    title: 'The address is unreachable',
    cause:
      'This machine or a router on the path reports that it cannot reach the address: no route leads there, no host there has the address, or a firewall rejects the packets.',
    remedy:
      'Check that the address still exists, that the check runs inside the private network, and the routes.',
    withoutEndpoint: {
      remedy: 'Check the routes of this machine, and firewalls that reject packets.',
    },
    seen: {
      'no route': {
        cause:
          'No route leads from here to the address: peering, VPN or transit is not set up for it.',
        remedy: 'Add the route, or run the check inside the private network.',
        inspect: 'the route table of this machine’s subnet, and that of the return path',
      },
      'not this family': {
        cause:
          'This machine has no address of their family (IPv4 or IPv6), so nothing was seen of the addresses in the evidence; the others were checked.',
        remedy:
          'Nothing is wrong with the link by that. To see those addresses too, run the check on a machine with both families.',
      },
      'local error': {
        title: 'The connection fails',
        cause: 'The operating system refused or lost the connection attempt.',
        remedy: 'Read the error in the evidence.',
      },
    },
  },
  'tcp.slow': {
    title: 'The connection opens slowly',
    cause:
      'Two attempts took more than 250 ms each, or one took the second that a lost packet costs. With several addresses, Node.js gives up on each attempt after 250 ms (20, 22 and 24 alike) and reports an error without a message.',
    remedy:
      'Ask the owners of Node.js applications to raise `autoSelectFamilyAttemptTimeout`; look for packet loss.',
    exit: EXIT.strictWarning,
  },
  'host.outside-network': {
    title: 'The check runs outside the private network',
    cause:
      'The check runs outside the private network; an address from DNS, private or public, does not prove where it runs.',
    remedy:
      'Run the check on a machine in the private network, or in a network that is routed to it.',
    inspect: 'the VPC and the route table of this machine’s subnet',
    seen: {
      'before a deploy': {
        cause:
          'None of the addresses of this machine is in a network that may call the endpoint, so the check would fail after everything has been created.',
        remedy:
          'Deploy from inside the network, or run the check there with `check.runVia`; if the network sees this machine under another address, give it in SECURE_CONNECTIVITY_OWN_ADDRESS (--own-address); or set the mode of the check to report or off.',
        exit: EXIT.preflight,
      },
    },
  },
  'host.egress': {
    title: 'Outbound traffic is blocked on this host',
    cause:
      'The egress rules of this machine, its security group or its subnet do not let the packets out.',
    remedy: 'Allow egress on this side to the port and addresses in the evidence.',
    inspect:
      'the egress rules of this machine, and whether another one in the same subnet gets through',
  },
  'endpoint.security-group': {
    title: 'The endpoint’s security group drops the packets',
    cause:
      'The endpoint’s security group or the network ACL of its subnet allows no inbound traffic from here.',
    remedy: 'Allow the port from this machine’s network in the endpoint’s security group.',
    inspect:
      'the inbound rules of the endpoint’s security group, for this port and this machine’s address',
  },
  'endpoint.not-accepted': {
    title: 'The endpoint connection is not accepted',
    cause: 'The provider has not accepted the connection yet, or has rejected it.',
    remedy: 'Wait if it is pending; otherwise ask the provider to accept it.',
    inspect:
      'the endpoint’s `connection_status`: PendingAcceptance and Connecting resolve by themselves, Rejected and Failed do not',
    isRetryable: true,
  },
  'endpoint.missing': {
    title: 'The endpoint or its record does not exist',
    cause: 'The name belongs to an endpoint that was deleted, renamed or never created.',
    remedy: 'Compare the base URL with the domain of the deployed endpoint; deploy again.',
    inspect: 'the endpoint’s `endpoint_domain` and status',
    seen: {
      'no host': {
        cause:
          'The endpoint or its network interface was deleted, so no host on its subnet answers for the address.',
        remedy: 'Compare the address with the endpoint’s network interfaces; deploy again.',
        inspect: 'the endpoint’s zones: `network_interface_ip`',
      },
    },
  },
  'path.partial': {
    title: 'Not every address leads to the service',
    cause:
      'Other addresses of the endpoint work, so the fault is at those that fail, or on the path to them.',
    remedy:
      'Check the network interface, subnet and security group in the zone of each address that fails; if connections to it open, check the targets that serve the zone.',
    inspect: 'the endpoint’s zones: `network_interface_ip` and `zone_status`',
    withoutEndpoint: {
      cause:
        'Other addresses of the same name work, so the fault is at those that fail, or on the path to them.',
      remedy:
        'Check that each address that fails is still one of the service’s; then quote it and the time to the service’s support.',
      inspect: 'where each address that fails belongs',
    },
    seen: {
      'one IP family': {
        cause: 'Only addresses of one IP family work.',
        remedy:
          'Check each family separately with --family 4 and --family 6; remove the records that lead nowhere.',
      },
      'missing in DNS': {
        title: 'An expected address is missing from the DNS answer',
        cause: 'The name resolves to only some of the expected addresses, so a zone is left out.',
        remedy: 'Check the connection status of the zone that the missing address belongs to.',
        isRetryable: true,
      },
    },
  },
  'path.filter': {
    title: 'Connections are cut on the path',
    cause:
      'A firewall or middlebox on the path rejects, resets or drops what its rules do not allow.',
    remedy: 'Look for firewalls and TLS filters between here and the address.',
  },
  'path.configured-open': {
    title: 'The cloud’s configuration says open',
    cause:
      'As the cloud is configured, nothing that was read stops packets from the address in the evidence, and yet the check fails.',
    remedy:
      'Check that the address is the one by which the cloud sees this machine (--own-address). Then look at routes and filters outside of the configuration, also of this machine; if there are none, the cloud does not do what it is configured for: ask its support whether the rules are enforced.',
  },
  'path.name-filter': {
    title: 'The connection is filtered by TLS server name (SNI)',
    cause:
      'The other side behaves differently with another server name: a filter or load balancer decides by the name.',
    remedy:
      'Have the name allowed in the filter or load balancer, or send a name that works by the evidence as TLS server name.',
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
  'path.mtu': {
    title: 'Large packets are lost on the path',
    cause:
      'The path MTU is smaller than the packets in one direction, and nothing reports it (path MTU black hole): what is small passes, what is large does not.',
    remedy:
      'Lower the MTU of this machine’s interface or clamp the MSS, and allow ICMP "fragmentation needed".',
    inspect: 'the MTU of tunnels, VPNs and gateways on the path, in both directions',
  },
});
