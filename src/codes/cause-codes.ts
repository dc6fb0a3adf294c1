import { type CodeFacts, EXIT } from './code-facts.js';

/** Causes that the diagnosis names; what a stage itself reports has a code of its own. */
export const CAUSE_CODES = {
  'dns.other-resolver': {
    title: 'Another DNS server knows the name',
    cause: 'The DNS server of this check gives no address for the name, but another one does.',
    remedy:
      'Let this machine use the DNS servers of the private network, or forward the zone to them.',
    kind: 'final',
    exit: EXIT.dns,
  },
  'dns.shadowed': {
    title: 'A private zone hides the public name',
    cause:
      'A zone of this DNS server lacks the record and stands in front of the one in which another server finds a public address.',
    remedy: 'Add the record to the private zone, or narrow the zone to the names that it holds.',
    look: 'the records of the private zone that is bound to this VPC; the SOA of the zone at both servers',
    kind: 'final',
    exit: EXIT.dns,
  },
  'dns.split-horizon': {
    title: 'DNS servers give different addresses',
    cause: 'What is called depends on which DNS server is asked.',
    remedy:
      'Use the DNS server that gives the endpoint’s addresses wherever the service is called.',
    kind: 'final',
    exit: EXIT.dns,
  },
  'dns.local-override': {
    title: 'This machine answers the name itself',
    cause:
      'The system’s resolver and the DNS servers that it is configured with disagree: a hosts file, the name service configuration, a cache or a local service stands between.',
    remedy: 'Look at the hosts file and the name service configuration of this machine.',
    kind: 'final',
    exit: EXIT.dns,
  },
  'dns.record-missing': {
    title: 'The endpoint works, but its name does not lead to it',
    cause: 'The expected address answers as the service when it is dialled without the name.',
    remedy: 'Create or correct the record, and check that its zone is bound to this network.',
    look: 'the private zone and its bound VPCs',
    kind: 'final',
    exit: EXIT.dns,
  },
  'endpoint.missing': {
    title: 'The endpoint or its record does not exist',
    cause: 'The name belongs to an endpoint that was deleted, renamed or never created.',
    remedy: 'Compare the base URL with the domain of the deployed endpoint; deploy again.',
    look: 'the endpoint’s `endpoint_domain` and status',
    kind: 'final',
    exit: EXIT.dns,
  },
  'endpoint.not-accepted': {
    title: 'The endpoint connection is not accepted',
    cause: 'The provider has not accepted the connection yet, or has rejected it.',
    remedy: 'Wait where it is pending; otherwise ask the provider to accept it.',
    look: 'the endpoint’s `connection_status`: PendingAcceptance and Connecting heal, Rejected and Failed do not',
    kind: 'retryable',
    exit: EXIT.tcp,
  },
  'endpoint.security-group': {
    title: 'The endpoint’s security group drops the packets',
    cause:
      'The endpoint’s security group or the network ACL of its subnet lets nothing in from here.',
    remedy: 'Allow the port from this machine’s network in the endpoint’s security group.',
    look: 'the inbound rules of the endpoint’s security group, for this port and this machine’s address',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'endpoint.no-listener': {
    title: 'Nothing listens behind the endpoint',
    cause: 'The address is right, but no listener takes connections on the port.',
    remedy: 'Check the port of the base URL, then the listeners behind the endpoint service.',
    look: 'the listeners of the load balancer behind the endpoint service',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'endpoint.no-target': {
    title: 'The endpoint service has no healthy target',
    cause: 'The connection is taken at the endpoint, but nobody behind it answers.',
    remedy: 'Ask the provider for the health of the targets behind the endpoint service.',
    look: 'the health of the server group behind the endpoint service',
    kind: 'retryable',
    exit: EXIT.tls,
  },
  'endpoint.wrong-service': {
    title: 'The endpoint leads to another service',
    cause: 'What answers is not the service that the link is for.',
    remedy: 'Check the endpoint service of the endpoint, and the base URL.',
    look: 'the endpoint’s `service_name`',
    kind: 'final',
    exit: EXIT.tls,
  },
  'endpoint.zone': {
    title: 'One zone of the endpoint does not work',
    cause: 'Other addresses of the endpoint work, so the fault is this one’s, or on the way to it.',
    remedy:
      'Check the network interface, subnet and security group of the zone of that address; where connections to it open, the targets that serve the zone.',
    look: 'the endpoint’s zones: `network_interface_ip` and `zone_status`',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'endpoint.address-gone': {
    title: 'Nobody has the address',
    cause:
      'The endpoint or its network interface was deleted, so nobody on its subnet answers for the address.',
    remedy: 'Compare the address with the endpoint’s network interfaces; deploy again.',
    look: 'the endpoint’s zones: `network_interface_ip`',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'endpoint.stale-record': {
    title: 'The record leads to another endpoint',
    cause:
      'The record, or an answer that is still cached, was left over from an earlier endpoint or belongs to another one.',
    remedy: 'Correct the record, and lower its TTL before the next change; cached answers expire.',
    look: 'the record in the private zone, against the endpoint’s `network_interface_ip`',
    kind: 'retryable',
    exit: EXIT.address,
  },
  'endpoint.replaced': {
    title: 'The expected addresses are out of date',
    cause: 'The endpoint was replaced after the expected addresses were written down.',
    remedy: 'Deploy again, or read the expected addresses from the outputs of the last deploy.',
    look: 'the endpoint’s zones: `network_interface_ip`',
    kind: 'final',
    exit: EXIT.address,
  },
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
    title: 'This machine may not send',
    cause:
      'The egress rules of this machine, its security group or its subnet do not let the packets out.',
    remedy: 'Allow the port towards the addresses of the evidence on this side.',
    look: 'whether another machine of the same subnet gets through; then the egress rules here',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'host.clock': {
    title: 'This machine’s clock is wrong',
    cause: 'By the server’s clock everything is in its time; the clock of this machine is off.',
    remedy: 'Synchronise this machine’s clock (NTP) before anything else.',
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
    title: 'One IP family does not get through',
    cause: 'Addresses of the other family work.',
    remedy: 'Check alone with --family 4 or --family 6; remove the records that lead nowhere.',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'path.name-filter': {
    title: 'The way depends on the server name in TLS',
    cause:
      'With another server name the other side behaves otherwise: a filter or load balancer chooses by the name.',
    remedy: 'Send the API host as server name, or allow the name in the filter.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'path.filter': {
    title: 'Something on the way cuts connections',
    cause: 'A firewall or middlebox on the way rejects, cuts or swallows what does not suit it.',
    remedy: 'Look for firewalls and TLS filters between here and the address.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'path.inspection': {
    title: 'Something on the way reads the traffic',
    cause: 'A proxy that inspects TLS, or a captive portal, answers in place of the service.',
    remedy: 'Exempt the host from inspection, or trust the inspecting authority with --ca-file.',
    kind: 'final',
    exit: EXIT.tls,
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
  'tls.server-name': {
    title: 'The certificate is for the API host',
    cause: 'The service answers, but another name than its API host was sent and verified.',
    remedy: 'Set `tlsServerName` (--tls-server-name) to the API host.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'token.audience': {
    title: 'The audience of the JWT is not the API host of the service',
    cause:
      'The API host that was given, which the JWT names as its audience (`aud`), is not the one of the service: often it was taken from the base URL.',
    remedy:
      'Set the API host (`apiHost`, --api-host) to the service’s public one, whatever host the base URL has.',
    kind: 'final',
    exit: EXIT.token,
  },
  'service.call-lost': {
    title: 'The service leaves a call without answer',
    cause:
      'The fault is on the provider’s side: over the same way the service answers other calls.',
    remedy:
      'Try again later; if it stays, quote the time and the log id of the evidence to the service’s support.',
    kind: 'retryable',
    exit: EXIT.http,
  },
  'token.region': {
    title: 'The API host is the one of another region',
    cause: 'Application, key and token belong to the region or site that they were made in.',
    remedy: 'Check that API host, base URL and console are of the same region.',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.key-pair': {
    title: 'Key ID and private key are not one pair of the application',
    cause:
      'The key ID is not the fingerprint of the public key, the key was deleted, or the private key is another one.',
    remedy:
      'Copy the fingerprint from the application’s edit page; if in doubt, make a new key pair.',
    look: 'the public keys on the application’s edit page',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.app-id': {
    title: 'The application ID is another application’s',
    cause: 'The key is registered, but for another application.',
    remedy: 'Copy the application ID from the page that shows the key’s fingerprint.',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.enterprise': {
    title: 'The enterprise ID is not right',
    cause: 'The enterprise ID, or the type of the application, does not fit the token path.',
    remedy:
      'Copy the enterprise ID from organization settings; the application must be an enterprise privileged app.',
    kind: 'final',
    exit: EXIT.token,
  },
} as const satisfies Record<string, CodeFacts>;
