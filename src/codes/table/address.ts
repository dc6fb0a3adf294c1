import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Faults of the address that a name leads to. */
export const ADDRESS_CODES = codesWithExit(EXIT.address, {
  'address.list-outdated': {
    title: 'The list of fixed addresses is out of date',
    cause: 'The service answers at an address that was added after the list was written down.',
    remedy:
      'Get the current list from the service, put it into the settings, review the change, and deploy it.',
    inspect: 'the service’s current list of fixed addresses',
  },
  'address.other-host': {
    title: 'The name is not that of the fixed-IP host',
    cause: 'The host of the base URL is not the fixed-IP host, or its record was changed.',
    remedy: 'Compare the base URL with the fixed-IP base URL that the service publishes.',
  },
  'address.public': {
    title: 'The name resolves to a public address',
    cause:
      'The call would leave the private network over the internet: the private record is not visible from here or, where the evidence has right addresses beside it, only the records of one family (A or AAAA) or some of them are wrong.',
    remedy:
      'Remove or correct the records of the family in the evidence; where it names none, use the DNS servers of the private network, and check that the endpoint domain is that of the deployed endpoint.',
  },
  'address.special': {
    title: 'The name resolves to an address of a special range',
    cause:
      'The address is neither in a private network nor routed on the internet; the evidence names its range. No endpoint of the cloud has such an address.',
    withoutEndpoint: {
      cause:
        'The address is neither in a private network nor routed on the internet; the evidence names its range. No public service has such an address.',
    },
    remedy:
      'Look for what answers DNS with it: a DNS filter or test record, a proxy program that hands out placeholders (198.18.0.0/15), a NAT64 or tunnel prefix, or a misconfigured zone.',
  },
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
  },
  'address.not-listed': {
    title: 'The address is not in the list',
    cause:
      'The fixed-IP host resolves to an address that is not among the declared ones: the list is out of date, or the name belongs to another host.',
    remedy:
      'Compare the declared list with the service’s current one (`secure-connectivity addresses`), and the base URL with the fixed-IP one.',
    isRetryable: true,
  },
  'address.this-machine': {
    title: 'The name resolves to this machine itself',
    cause:
      'The answer is an address of this machine, or none at all (127.0.0.0/8, ::1, 0.0.0.0): a DNS filter blocks the name, or an entry of the hosts file answers for it.',
    remedy:
      'Look for the name in the hosts file; have it allowed in the DNS filter, or use the DNS servers of the private network.',
  },
  'address.missing': {
    title: 'An expected address is missing from the DNS answer',
    cause: 'The name resolves to only some of the expected addresses, so a zone is left out.',
    remedy: 'Check the connection status of the zone that the missing address belongs to.',
    isRetryable: true,
    exit: EXIT.strictWarning,
  },
  'address.not-judged': {
    title: 'The address could not be judged',
    cause: 'The link is declared as fixed-ip-egress but names no expected addresses.',
    remedy: 'Declare the expected addresses of the link.',
    exit: EXIT.strictWarning,
  },
  'address.plain-http': {
    title: 'Plain HTTP outside the declared private networks',
    cause:
      'The JWT and the token would travel unencrypted to an address that is not proven to be in the declared private networks.',
    remedy: 'Use https, or declare the private network that the address belongs to.',
  },
  'address.by-proxy': {
    title: 'The address is the proxy’s choice',
    cause: 'The proxy resolves the name, so the address that is called is unknown.',
    remedy: 'Check without --proxy, or set the address with --resolve.',
    exit: EXIT.strictWarning,
  },
});
