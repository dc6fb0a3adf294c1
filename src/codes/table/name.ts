import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

const DNS = codesWithExit(EXIT.dns, {
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
    seen: {
      'empty alias': {
        cause:
          'The name has an alias (CNAME), and the DNS server gives no address for what it leads to: the target does not exist or is not visible from this network, or the aliases lead in a circle. The evidence lists them.',
        remedy:
          'Correct the alias, or the record at its end; a target inside a private zone needs that zone on this DNS server too.',
        inspect: 'the records of each name in the evidence, and the zones of this network',
      },
      'no such family': {
        title: 'The host has no address of the chosen IP family',
        cause: 'The host has addresses, but none of the family that --family asks for.',
        remedy: 'Leave --family out, or provide addresses of that family.',
        isRetryable: false,
      },
    },
  },
  'dns.record-wrong': {
    title: 'The record of the name is missing or wrong',
    cause: 'The expected address answers as the service when it is dialled without the name.',
    remedy: 'Create or correct the record, and check that its zone is bound to this network.',
    inspect: 'the private zone and its bound VPCs',
    seen: {
      'hiding private zone': {
        cause:
          'A zone on this DNS server lacks the record and hides the zone in which another server finds a public address.',
        remedy:
          'Add the record to the private zone, or narrow the zone to the names that it contains.',
        inspect:
          'the records of the private zone that is bound to this VPC, and the SOA of the zone on both servers',
      },
      drift: {
        cause:
          'In the cloud, the private zone of the name is not associated with this machine’s network, or its records are not those of Terraform.',
        remedy:
          'Undo the change in the evidence, or deploy the stack again; a network that is to resolve the name belongs into `privateZoneNetworks`.',
        inspect: 'the private zone, its records and its VPCs',
      },
      'managed elsewhere': {
        cause:
          'The stack leaves the record of this name to others, and the name does not resolve to the endpoint.',
        remedy:
          'Have whoever manages the zone enter the records in the evidence and remove other addresses of the name; then check again.',
        inspect:
          'the stack’s output whose name ends in `-records`, and the zone that answers this machine',
      },
      'earlier endpoint': {
        cause:
          'The name leads to another address than the endpoint’s: the record, or an answer that is still cached, was left over from an earlier endpoint or belongs to another one, or the DNS server has another record for it.',
        remedy:
          'Correct the record, and lower its TTL before the next change; cached answers expire.',
        inspect:
          'the record in the private zone, compared with the endpoint’s `network_interface_ip`',
      },
    },
  },
  'dns.alternating': {
    title: 'The DNS server gives different answers in turn',
    cause:
      'Queried again for the same name, the same DNS server gives a different answer: a record is being changed, or the servers of one zone disagree.',
    remedy:
      'Query each server behind it separately and correct the one that differs, or wait until the change has reached all of them.',
    isRetryable: true,
  },
  'dns.other-resolver': {
    title: 'Another DNS server answers otherwise',
    cause: 'The DNS server of this check gives no address for the name, but another one does.',
    remedy:
      'Configure this machine to use the DNS servers of the private network, or forward the zone to them.',
    withoutEndpoint: {
      remedy:
        'Configure this machine to use the DNS server in the evidence, or forward the zone to it.',
    },
    seen: {
      'another address': {
        cause: 'Which address is called depends on which DNS server is queried.',
        remedy:
          'Use the DNS server that gives the endpoint’s addresses wherever the service is called.',
        withoutEndpoint: {
          remedy:
            'Use the DNS server that gives the right addresses wherever the service is called.',
        },
      },
    },
  },
  'dns.local-override': {
    title: 'This machine resolves the name itself',
    cause:
      'The system’s resolver and the DNS servers that it is configured with disagree: a hosts file, the name service configuration, a domain of the search list, a cache or a local service is in between.',
    remedy:
      'Check the hosts file, the name service configuration and the `search` line of resolv.conf of this machine.',
  },
  'dns.server-failed': {
    title: 'The DNS server failed',
    cause:
      'The DNS server refused, reported a failure of its own, could not be reached, sent what is no answer to the question (such as addresses of another name), or could not be asked over TCP for an answer that is too long for UDP; the evidence says which.',
    remedy:
      'Check the DNS server that the evidence names, and the servers that it forwards the zone to.',
    isRetryable: true,
    isOfTime: true,
    seen: {
      'no answer': {
        cause:
          'No answer came from the DNS server in time, or none to one of the two questions (A and AAAA), as the evidence then says: it is down or slow, drops such questions, or port 53 is blocked.',
        remedy: 'Check the path to the DNS server that the evidence names.',
      },
      'no recursion': {
        cause:
          'The DNS server does not have the zone of the name, and does not ask other servers for this machine (recursion is not available).',
        remedy:
          'Use the DNS servers of the private network; or let the server in the evidence resolve names for this machine, or forward the zone.',
        isRetryable: false,
        isOfTime: false,
      },
      'one IP family': {
        title: 'The DNS server fails for one IP family',
        cause:
          'It gives addresses for one family (A or AAAA), and for the other fails, is silent, or says that the name does not exist. Many clients ask for both and then wait, or fail.',
        remedy:
          'Have the DNS server, or the one that it forwards to, answer the other question without an error and without an address.',
      },
    },
  },
});

const ADDRESS = codesWithExit(EXIT.address, {
  'address.unexpected': {
    title: 'The name resolves to an unexpected address',
    cause:
      'The address is not one that was deployed or declared: a stale record, or the endpoint of another environment.',
    remedy:
      'Compare the addresses in the evidence with the endpoint’s network interfaces; deploy again, or correct the expected addresses.',
    withoutEndpoint: {
      cause: 'The address is not one that was declared: a stale record, or another host.',
      remedy: 'Correct the expected addresses, or the record of the name.',
    },
    isRetryable: true,
    seen: {
      public: {
        cause:
          'The call would leave the private network over the internet: the private record is not visible from here.',
        remedy:
          'Use the DNS servers of the private network, and check that the endpoint domain is that of the deployed endpoint.',
        isRetryable: false,
      },
      'others right': {
        cause:
          'The name has right addresses and, beside them, one over which calls would leave the private network for the internet; where the evidence names a family, every record of it (A for IPv4, AAAA for IPv6) is wrong.',
        remedy:
          'Remove the records with the address in the evidence, where it names a family all of that family, from the zone that the private network asks.',
        isRetryable: false,
      },
      special: {
        cause:
          'The address is neither in a private network nor routed on the internet; the evidence names its range. Neither a network in the cloud nor a public service has such an address.',
        remedy:
          'Look for what answers DNS with it: a DNS filter or test record, a proxy program that hands out placeholders (198.18.0.0/15), a NAT64 or tunnel prefix, or a misconfigured zone.',
        isRetryable: false,
      },
      'not listed': {
        cause:
          'The fixed-IP host resolves to an address that is not among the declared ones: the list is out of date, or the name belongs to another host.',
        remedy:
          'Compare the declared list with the service’s current one (`secure-connectivity addresses`), and the base URL with the fixed-IP one.',
      },
      'another host': {
        cause: 'The host of the base URL is not the fixed-IP host, or its record was changed.',
        remedy: 'Compare the base URL with the fixed-IP base URL that the service publishes.',
      },
      'this machine': {
        cause:
          'The answer is an address of this machine, or none at all (127.0.0.0/8, ::1, 0.0.0.0): a DNS filter blocks the name, or an entry of the hosts file answers for it.',
        remedy:
          'Look for the name in the hosts file; have it allowed in the DNS filter, or use the DNS servers of the private network.',
        isRetryable: false,
      },
    },
  },
  'address.list-outdated': {
    title: 'The expected addresses are out of date',
    cause: 'The service answers at an address that was added after the list was written down.',
    remedy:
      'Get the current list from the service, put it into the settings, review the change, and deploy it.',
    inspect: 'the service’s current list of fixed addresses',
    seen: {
      'endpoint replaced': {
        cause: 'The endpoint was replaced after the expected addresses were written down.',
        remedy: 'Deploy again, or read the expected addresses from the outputs of the last deploy.',
        inspect: 'the endpoint’s zones: `network_interface_ip`',
      },
    },
  },
  'address.not-judged': {
    title: 'The address could not be judged',
    cause: 'The link is declared as fixed-ip-egress but names no expected addresses.',
    remedy: 'Declare the expected addresses of the link.',
    exit: EXIT.strictWarning,
    seen: {
      proxy: {
        cause: 'The proxy resolves the name, so the address that is called is unknown.',
        remedy: 'Check without --proxy, or set the address with --resolve.',
      },
    },
  },
  'address.plain-http': {
    title: 'Plain HTTP outside the declared private networks',
    cause:
      'The JWT and the token would travel unencrypted to an address that is not proven to be in the declared private networks.',
    remedy: 'Use https, or declare the private network that the address belongs to.',
  },
});

/** Faults of a name, with who answers it, and of the address that it leads to. */
export const NAME_CODES = { ...DNS, ...ADDRESS };
