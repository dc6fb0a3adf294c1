import { conclude } from '../../src/review/decision/summary.js';
import { type Finding, REVIEW_SCHEMA, type ReviewReport } from '../../src/review/report-schema.js';

export const GROUP = 'volcenginecc_vpc_security_group.endpoint';
export const FIREWALL = 'volcenginecc_fwcenter_control_policy.orders';
export const ENDPOINT = 'volcenginecc_privatelink_vpc_endpoint.own';

export const opened: Finding = {
  kind: 'access',
  decision: 'needs-approval',
  stack: 'production',
  resource: FIREWALL,
  who: '10.0.0.0/8',
  what: 'orders, tcp 443',
  identity: ['widens', 'fixed-ip-egress', 'egress', 'orders'],
  before: 'closed',
  after: 'tcp 443',
  addresses: '16777216',
  reason: 'calls of the workers',
};

export const closed: Finding = {
  ...opened,
  decision: 'narrower',
  resource: GROUP,
  who: '192.0.2.0/30',
  identity: ['narrows', 'service-endpoint', 'ingress', 'endpoint'],
  before: 'tcp 443',
  after: 'closed',
  addresses: '4',
};

export const unencrypted: Finding = {
  kind: 'safeguard',
  decision: 'needs-approval',
  stack: 'production',
  resource: 'output.connectivity',
  who: '',
  what: 'plain HTTP of orders',
  identity: ['plain-http', 'orders'],
  before: 'none',
  after: 'http',
  consequence: 'JWT and token travel unencrypted',
};

export const replaced: Finding = {
  kind: 'disruption',
  decision: 'needs-approval',
  stack: 'production',
  resource: ENDPOINT,
  who: '',
  what: 'vpc_id',
  identity: ['replaced', 'vpc_id'],
  before: 'deployed',
  after: 'replaced',
  consequence: 'every client is cut off until it calls the new domain',
};

export const forbidden: Finding = {
  kind: 'policy',
  decision: 'forbidden',
  stack: 'production',
  resource: GROUP,
  who: '',
  what: 'endpoint admits 4294967296 IPv4 addresses',
  identity: ['service-endpoint', 'ingress', 'endpoint', 'addresses', '4'],
  before: '',
  after: '',
  code: 'policy.too-open',
};

export const unread: Finding = {
  kind: 'unread',
  decision: 'needs-approval',
  stack: 'production',
  resource: 'module.network',
  who: '',
  what: 'all of it',
  identity: [''],
  before: 'unread',
  after: 'unread, and another',
  consequence: 'a module can open anything',
};

/** A report of findings alone. */
export function reportOf(
  findings: readonly Finding[],
  { baseReasons = [], ...more }: Partial<ReviewReport> & { baseReasons?: readonly string[] } = {},
): ReviewReport {
  return {
    schema: REVIEW_SCHEMA,
    ...conclude(
      findings,
      baseReasons.map((reason) => ({ reason })),
    ),
    totals: { widens: 0, narrows: 0, neutral: 0, forbidden: 0 },
    changes: [],
    reach: [],
    namedPeers: [],
    addressLists: [],
    domains: [],
    disruptions: [],
    steps: [],
    exceptions: [],
    violations: [],
    notes: [],
    tickets: [],
    digests: [],
    plans: [],
    ...more,
  };
}

/** Every character that changes the order in which text is displayed. */
export const BIDI = '\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069';

/** Parts of a finding that a change chooses, each with all of these characters. */
export const REORDERED = {
  stack: `production${BIDI}`,
  resource: `volcenginecc_vpc_security_group.${BIDI}`,
  reason: `calls ${BIDI} of the workers`,
};
