import { type CodeFacts, EXIT } from './code-facts.js';

/** Causes that lie with a name and who answers it. */
export const NAME_CAUSE_CODES = {
  'dns.alternating': {
    title: 'The DNS server gives different answers in turn',
    cause:
      'Asked again for the same name, the same DNS server answers otherwise: a record that is just being changed, or servers of one zone that disagree.',
    remedy:
      'Ask each server behind it by itself and correct the one that differs, or wait until the change has reached all of them.',
    kind: 'retryable',
    exit: EXIT.dns,
  },
  'address.list-outdated': {
    title: 'The list of fixed addresses is out of date',
    cause: 'The service answers at an address that was added after the list was written down.',
    remedy:
      'Get the present list from the service, compare it with `secure-connectivity addresses diff`, and deploy it.',
    look: 'the service’s present list of fixed addresses',
    kind: 'final',
    exit: EXIT.address,
  },
  'address.other-host': {
    title: 'The name is not that of the fixed addresses',
    cause: 'The host of the base URL is another than the fixed-IP one, or its record was changed.',
    remedy: 'Compare the base URL with the fixed-IP one that the service names.',
    kind: 'final',
    exit: EXIT.address,
  },
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
} as const satisfies Record<string, CodeFacts>;
