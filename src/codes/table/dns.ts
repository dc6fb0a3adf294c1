import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Faults of a name, and with who answers it. */
export const DNS_CODES = codesWithExit(EXIT.dns, {
  'dns.alternating': {
    title: 'The DNS server gives different answers in turn',
    cause:
      'Queried again for the same name, the same DNS server gives a different answer: a record is being changed, or the servers of one zone disagree.',
    remedy:
      'Query each server behind it separately and correct the one that differs, or wait until the change has reached all of them.',
    isRetryable: true,
  },
  'dns.other-resolver': {
    title: 'Another DNS server knows the name',
    cause: 'The DNS server of this check gives no address for the name, but another one does.',
    remedy:
      'Configure this machine to use the DNS servers of the private network, or forward the zone to them.',
    withoutEndpoint: {
      remedy:
        'Configure this machine to use the DNS server in the evidence, or forward the zone to it.',
    },
  },
  'dns.shadowed': {
    title: 'A private zone hides the public name',
    cause:
      'A zone on this DNS server lacks the record and hides the zone in which another server finds a public address.',
    remedy: 'Add the record to the private zone, or narrow the zone to the names that it contains.',
    inspect:
      'the records of the private zone that is bound to this VPC, and the SOA of the zone on both servers',
  },
  'dns.split-horizon': {
    title: 'DNS servers give different addresses',
    cause: 'Which address is called depends on which DNS server is queried.',
    remedy:
      'Use the DNS server that gives the endpoint’s addresses wherever the service is called.',
    withoutEndpoint: {
      remedy: 'Use the DNS server that gives the right addresses wherever the service is called.',
    },
  },
  'dns.local-override': {
    title: 'This machine resolves the name itself',
    cause:
      'The system’s resolver and the DNS servers that it is configured with disagree: a hosts file, the name service configuration, a domain of the search list, a cache or a local service is in between.',
    remedy:
      'Check the hosts file, the name service configuration and the `search` line of resolv.conf of this machine.',
  },
  'dns.record-missing': {
    title: 'The endpoint works, but its name does not resolve to it',
    cause: 'The expected address answers as the service when it is dialled without the name.',
    remedy: 'Create or correct the record, and check that its zone is bound to this network.',
    inspect: 'the private zone and its bound VPCs',
  },
  'dns.zone-changed': {
    title: 'The private zone does not lead the name to the endpoint',
    cause:
      'In the cloud, the private zone of the name is not associated with this machine’s network, or its records are not those of Terraform.',
    remedy:
      'Undo the change in the evidence, or deploy the stack again; a network that is to resolve the name belongs into `privateZoneNetworks`.',
    inspect: 'the private zone, its records and its VPCs',
  },
  'dns.managed-elsewhere': {
    title: 'A record that is managed elsewhere is missing or wrong',
    cause:
      'The stack leaves the record of this name to others, and the name does not resolve to the endpoint.',
    remedy:
      'Have whoever manages the zone enter the records in the evidence and remove other addresses of the name; then check again.',
    inspect:
      'the stack’s output whose name ends in `-records`, and the zone that answers this machine',
  },
  'dns.not-found': {
    title: 'The name does not resolve',
    cause:
      'The record or its zone does not exist, or the zone is not visible from the network that this check runs in.',
    remedy:
      'Check that the endpoint exists and is connected, and that the check runs inside its private network with that network’s DNS servers.',
    withoutEndpoint: {
      remedy: 'Check the host of the base URL, and which DNS servers this machine uses.',
    },
    isRetryable: true,
  },
  'dns.dangling-alias': {
    title: 'The name is an alias that leads to no address',
    cause:
      'The name has an alias (CNAME), and the DNS server gives no address for what it leads to: the target does not exist or is not visible from this network, or the aliases lead in a circle. The evidence lists them.',
    remedy:
      'Correct the alias, or the record at its end; a target inside a private zone needs that zone on this DNS server too.',
    inspect: 'the records of each name in the evidence, and the zones of this network',
    isRetryable: true,
  },
  'dns.one-family': {
    title: 'The DNS server fails for one IP family',
    cause:
      'It gives addresses for one family (A or AAAA), and for the other fails, is silent, or says that the name does not exist. Many clients ask for both and then wait, or fail.',
    remedy:
      'Have the DNS server, or the one that it forwards to, answer the other question without an error and without an address.',
    exit: EXIT.strictWarning,
    isOfTime: true,
  },
  'dns.no-such-family': {
    title: 'The host has no address of the chosen IP family',
    cause: 'The host has addresses, but none of the family that --family asks for.',
    remedy: 'Leave --family out, or provide addresses of that family.',
  },
  'dns.timeout': {
    title: 'The DNS server does not answer',
    cause:
      'No answer came from the DNS server in time, or none to one of the two questions (A and AAAA), as the evidence then says: it is down or slow, drops such questions, or port 53 is blocked.',
    remedy: 'Check the path to the DNS server that the evidence names.',
    isRetryable: true,
    isOfTime: true,
  },
  'dns.no-recursion': {
    title: 'The DNS server resolves no names of other zones for this machine',
    cause:
      'The DNS server does not have the zone of the name, and does not ask other servers for this machine (recursion is not available).',
    remedy:
      'Use the DNS servers of the private network; or let the server in the evidence resolve names for this machine, or forward the zone.',
  },
  'dns.server-failed': {
    title: 'The DNS server failed',
    cause:
      'The DNS server refused, reported a failure of its own, could not be reached, sent what is no answer to the question (such as addresses of another name), or could not be asked over TCP for an answer that is too long for UDP; the evidence says which.',
    remedy:
      'Check the DNS server that the evidence names, and the servers that it forwards the zone to.',
    isRetryable: true,
    isOfTime: true,
  },
});
