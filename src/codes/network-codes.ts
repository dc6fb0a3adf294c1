import { type CodeFacts, EXIT } from './code-facts.js';

/** What can be wrong between this machine and the first byte of an answer. */
export const NETWORK_CODES = {
  'dns.not-found': {
    title: 'The name does not resolve',
    cause:
      'The record or its zone does not exist, or the zone is not visible from the network that this check runs in.',
    remedy:
      'Check that the endpoint exists and is connected, and that the check runs inside its private network with that network’s DNS servers.',
    kind: 'retryable',
    exit: EXIT.dns,
  },
  'dns.no-such-family': {
    title: 'The host has no address of the chosen IP family',
    cause: 'The host has addresses, but none of the family that --family asks for.',
    remedy: 'Leave --family out, or give addresses of that family.',
    kind: 'final',
    exit: EXIT.dns,
  },
  'dns.timeout': {
    title: 'The DNS server does not answer',
    cause: 'No answer came from the DNS server in time: it is down, or port 53 is blocked.',
    remedy: 'Check the path to the DNS server that the evidence names.',
    kind: 'retryable',
    exit: EXIT.dns,
  },
  'dns.server-failed': {
    title: 'The DNS server failed',
    cause: 'The DNS server refused, reported a failure of its own, or could not be reached.',
    remedy:
      'Check the DNS server that the evidence names, and the servers that it forwards the zone to.',
    kind: 'retryable',
    exit: EXIT.dns,
  },
  'address.public': {
    title: 'The name resolves to a public address',
    cause:
      'The private record is not seen from here, so the call would leave the private network over the internet.',
    remedy:
      'Use the DNS servers of the private network, and check that the endpoint domain is the one of the deployed endpoint.',
    kind: 'final',
    exit: EXIT.address,
  },
  'address.unexpected': {
    title: 'The name resolves to an unexpected address',
    cause:
      'The address is not one that was deployed or declared: a stale record, or the endpoint of another environment.',
    remedy:
      'Compare the addresses of the evidence with the endpoint’s network interfaces; deploy again, or correct the expected addresses.',
    kind: 'retryable',
    exit: EXIT.address,
  },
  'address.not-listed': {
    title: 'The address is not in the list',
    cause:
      'The fixed-IP host resolves to an address that is not among the declared ones: the list is out of date, or the name leads to another host.',
    remedy:
      'Compare the declared list with the service’s present one (`secure-connectivity addresses`), and the base URL with the fixed-IP one.',
    kind: 'retryable',
    exit: EXIT.address,
  },
  'address.this-machine': {
    title: 'The name resolves to this machine itself',
    cause:
      'The answer is an address of this machine, or none at all (127.0.0.0/8, ::1, 0.0.0.0): a DNS filter blocks the name, or an entry of the hosts file stands for it.',
    remedy:
      'Look for the name in the hosts file; have it allowed in the DNS filter, or ask the DNS servers of the private network.',
    kind: 'final',
    exit: EXIT.address,
  },
  'address.missing': {
    title: 'An expected address is missing from the DNS answer',
    cause: 'The name resolves to some of the expected addresses only, so a zone is left out.',
    remedy: 'Check the connection status of the zone that the missing address belongs to.',
    kind: 'retryable',
    exit: EXIT.strictWarning,
  },
  'address.not-judged': {
    title: 'The address could not be judged',
    cause: 'The link is declared as fixed-ip but names no expected addresses.',
    remedy: 'Declare the expected addresses of the link.',
    kind: 'final',
    exit: EXIT.strictWarning,
  },
  'address.plain-http': {
    title: 'Plain HTTP outside the declared private networks',
    cause:
      'JWT and token would travel in clear to an address that is not proven to lie in the declared private networks.',
    remedy: 'Use https, or declare the private network that the address belongs to.',
    kind: 'final',
    exit: EXIT.address,
  },
  'address.by-proxy': {
    title: 'The address is the proxy’s choice',
    cause: 'The proxy resolves the name, so nothing tells which address is called.',
    remedy: 'Check without --proxy, or give the address with --resolve.',
    kind: 'final',
    exit: EXIT.strictWarning,
  },
  'proxy.unreachable': {
    title: 'The proxy does not answer',
    cause: 'No connection to the proxy could be opened, or it did not speak HTTP.',
    remedy: 'Check the proxy’s address and port, or check without --proxy.',
    kind: 'retryable',
    exit: EXIT.tcp,
  },
  'proxy.refused': {
    title: 'The proxy refuses',
    cause: 'The proxy answered the request for a tunnel with an error of its own.',
    remedy:
      'Status 407: give the proxy’s credentials; 403: have the host allowed, or add it to NO_PROXY; 5xx: the proxy does not reach the host.',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'tcp.slow': {
    title: 'The connection opens slowly',
    cause:
      'It took more than 250 ms: with several addresses, Node.js 20 gives up each attempt after that time and reports an error without a message.',
    remedy:
      'Tell the owners of Node.js applications to raise `autoSelectFamilyAttemptTimeout`; look for lost packets.',
    kind: 'final',
    exit: EXIT.strictWarning,
  },
  'tcp.timeout': {
    title: 'The connection attempt gets no answer',
    cause:
      'Something on the way drops the packets: a security group or network ACL, a missing route, or an endpoint connection that is not accepted yet.',
    remedy:
      'Check the endpoint’s security group (inbound, the port, from this machine’s network), then the endpoint’s connection status, then the routes.',
    kind: 'retryable',
    exit: EXIT.tcp,
  },
  'tcp.refused': {
    title: 'The connection is refused',
    cause:
      'Somebody answers for the address and refuses: nothing listens on the port, or a firewall rejects.',
    remedy: 'Check the port of the base URL, the address, and the listener behind the endpoint.',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'tcp.unreachable': {
    title: 'The address is unreachable',
    cause:
      'This machine or a router on the way says that it cannot reach the address: no route leads there, nobody there has the address, or a firewall rejects the packets.',
    remedy:
      'Check that the address still exists, that the check runs inside the private network, and the routes.',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'tcp.failed': {
    title: 'The connection fails',
    cause: 'The operating system refused or lost the connection attempt.',
    remedy: 'Look at the error of the evidence.',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'tls.name-mismatch': {
    title: 'The certificate is for another name',
    cause:
      'The server’s certificate does not cover the name that was sent and verified: a wrong TLS server name, or another service at this address.',
    remedy:
      'Compare the names of the evidence: if the API host is among them, set `tlsServerName` to it; otherwise check which endpoint service the endpoint belongs to.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'tls.untrusted': {
    title: 'The certificate is not trusted',
    cause:
      'The certificate’s issuer is not among the trusted ones: an inspecting proxy, a private CA, or an incomplete chain.',
    remedy:
      'Look at the issuer of the evidence: add a private CA with --ca-file; bypass an inspecting proxy for this host.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'tls.bad-certificate': {
    title: 'The certificate breaks a rule',
    cause:
      'A certificate of the chain is not accepted for what it is: a key or a signature that is too weak (SHA-1), a use that it is not issued for, or a broken chain. To trust its authority does not help.',
    remedy: 'Read the reason in the evidence; have the certificate issued anew.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'tls.expired': {
    title: 'A certificate has expired',
    cause:
      'The last day of a certificate of the chain has passed, by the clock of this machine; the evidence names which.',
    remedy:
      'Check this machine’s clock first; if it is right, the certificate that the evidence names must be renewed.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'tls.expires-soon': {
    title: 'The certificate ends soon',
    cause:
      'Less than 30 days are left of the certificate, or less than a third of its life where that is shorter.',
    remedy:
      'Have it renewed before the day that the evidence names; where a program renews it, check that it runs.',
    kind: 'final',
    exit: EXIT.strictWarning,
  },
  'tls.not-yet-valid': {
    title: 'A certificate is not valid yet',
    cause:
      'The first day of a certificate of the chain is still to come, by the clock of this machine; the evidence names which.',
    remedy: 'Check this machine’s clock first; if it is right, wait or replace the certificate.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'tls.timeout': {
    title: 'The TLS handshake gets no answer',
    cause:
      'The connection opens but stays silent: a load balancer without a healthy target, or large packets lost on the way.',
    remedy: 'Check the targets behind the endpoint service, then the path MTU.',
    kind: 'retryable',
    exit: EXIT.tls,
  },
  'tls.reset': {
    title: 'The TLS handshake is cut off',
    cause:
      'The connection was closed during the handshake: a filter that does not like the name, or an endpoint without a healthy target.',
    remedy: 'Check the TLS server name, filters on the way, and the targets behind the endpoint.',
    kind: 'retryable',
    exit: EXIT.tls,
  },
  'tls.not-tls': {
    title: 'The port does not speak TLS',
    cause: 'The port speaks plain HTTP, the protocol of a proxy or another one.',
    remedy: 'Check scheme and port of the base URL.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'tls.alert': {
    title: 'The server refuses the TLS handshake',
    cause: 'The server sent an alert: it does not know the name, or shares no version or cipher.',
    remedy: 'Look at the alert of the evidence; check the TLS server name.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'tls.client-certificate': {
    title: 'The server demands a client certificate',
    cause:
      'The service asks for none, so it may be another server, or a gateway, that is at this address.',
    remedy: 'Check which endpoint service the endpoint belongs to.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'tls.failed': {
    title: 'The TLS handshake fails',
    cause: 'The handshake ended with an unrecognised error.',
    remedy: 'Look at the error of the evidence.',
    kind: 'final',
    exit: EXIT.tls,
  },
} as const satisfies Record<string, CodeFacts>;
