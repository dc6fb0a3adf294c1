import type {
  BackendResult,
  ClosedResult,
  ConnectionResult,
  Finding,
  LinkResult,
  Verification,
} from '../../../src/verify/model/verification.js';
import { VERIFICATION_SCHEMA } from '../../../src/verify/model/verification.js';

export const LOG_ID = '20261121020304ABCDEF';

function finding(change: Partial<Finding> & Pick<Finding, 'stage'>): Finding {
  return { status: 'passed', elapsedMs: 1, evidence: {}, ...change };
}

const PREFLIGHT = finding({
  stage: 'preflight',
  elapsedMs: 0.4,
  evidence: { kid: 'fingerprint-1', iss: 'app-1', aud: 'api.service.example', keyBits: 2048 },
});
const DNS = finding({
  stage: 'dns',
  elapsedMs: 6,
  evidence: {
    host: 'ep-1.example',
    server: '10.0.0.2:53',
    addresses: '10.1.2.3, 10.1.2.4',
  },
});

function way(address: string): Record<'address' | 'tcp' | 'tls' | 'http', Finding> {
  return {
    address: finding({
      stage: 'address',
      address,
      elapsedMs: 0.1,
      evidence: { expected: '10.1.0.0/16' },
    }),
    tcp: finding({
      stage: 'tcp',
      address,
      elapsedMs: 12,
      evidence: { port: 443, connectedTo: '127.0.0.1:40001' },
    }),
    tls: finding({
      stage: 'tls',
      address,
      elapsedMs: 31,
      evidence: {
        serverName: 'ep-1.example',
        protocol: 'TLSv1.3',
        issuer: 'Test Authority',
        names: 'DNS:ep-1.example',
        validTo: '2027-02-19T03:01:28.000Z',
      },
    }),
    http: finding({
      stage: 'http',
      address,
      elapsedMs: 47.5,
      evidence: { httpStatus: 200, skewMs: -1500 },
      logId: LOG_ID,
    }),
  };
}

const TOKEN = finding({
  stage: 'token',
  elapsedMs: 47.5,
  evidence: { kid: 'fingerprint-1', validForSeconds: 900 },
  logId: LOG_ID,
});
const WORKSPACES = finding({
  stage: 'workspaces',
  elapsedMs: 22,
  evidence: { count: 2, workspaces: 'w1 First; w2' },
  logId: LOG_ID,
});

const a = way('10.1.2.3');
const b = way('10.1.2.4');

export const GOOD_LINK: LinkResult = {
  name: 'api',
  via: 'service-endpoint',
  baseUrl: 'https://ep-1.example',
  verdict: 'reachable',
  elapsedMs: 132,
  attempts: 1,
  accessDigest: 'digest-1',
  notes: [],
  connectTo: [{ from: '10.1.2.3:443', to: '127.0.0.1:40001' }],
  causes: [],
  ruledOut: [],
  stages: [
    PREFLIGHT,
    DNS,
    a.address,
    b.address,
    a.tcp,
    b.tcp,
    a.tls,
    b.tls,
    a.http,
    b.http,
    TOKEN,
    WORKSPACES,
  ],
};

const FAILED_TCP: Finding = {
  ...b.tcp,
  status: 'failed',
  elapsedMs: 10_000,
  code: 'tcp.timeout',
  cause: 'No answer to the SYN.',
  remedy: 'Open the security group.',
};

/** One of two addresses is dead. */
export const HALF_DEAD: LinkResult = {
  ...GOOD_LINK,
  name: 'half-dead',
  verdict: 'unreachable',
  elapsedMs: 10_100,
  attempts: 3,
  notes: ['plain http: JWT and token travel unencrypted inside the private network'],
  causes: [
    {
      code: 'tcp.timeout',
      text: 'Consistent with a closed security group in zone B, or a zone that is not connected.',
      evidence: 'address=10.1.2.4, port=443; 10.1.2.3 passed',
      certainty: 'consistent',
      remedy: 'Allow inbound TCP 443 from this network in the endpoint’s security group.',
      inspect: 'The zone’s connection status at the endpoint.',
    },
    {
      code: 'address.unexpected',
      text: 'A stale record.',
      evidence: 'resolved=10.1.2.4',
      certainty: 'consistent',
    },
  ],
  ruledOut: [{ text: 'the credentials', evidence: 'token passed' }],
  stages: [
    PREFLIGHT,
    DNS,
    a.address,
    b.address,
    a.tcp,
    FAILED_TCP,
    a.tls,
    finding({
      stage: 'tls',
      status: 'skipped',
      elapsedMs: 0,
      address: '10.1.2.4',
      evidence: { reason: 'blocked by tcp' },
    }),
    {
      ...a.http,
      status: 'warned',
      code: 'host.clock',
      cause: 'The clocks differ.',
      remedy: 'Set the clock.',
    },
    finding({
      stage: 'http',
      status: 'skipped',
      elapsedMs: 0,
      address: '10.1.2.4',
      evidence: { reason: 'blocked by an earlier stage' },
    }),
    TOKEN,
    WORKSPACES,
  ],
  probes: [
    {
      name: 'pinned-address',
      changed: '10.1.2.3',
      ok: true,
      elapsedMs: 20,
      evidence: { address: '10.1.2.3' },
    },
  ],
};

/** Nothing but the first stage was seen. */
export const NO_NAME: LinkResult = {
  ...GOOD_LINK,
  name: 'no-name',
  via: 'internet',
  baseUrl: 'https://lost.example',
  verdict: 'unreachable',
  accessDigest: '',
  connectTo: [],
  causes: [
    { code: 'dns.not-found', text: 'The record does not exist.', evidence: 'host=lost.example' },
  ],
  stages: [
    PREFLIGHT,
    {
      ...DNS,
      status: 'failed',
      code: 'dns.not-found',
      cause: 'The record does not exist.',
      remedy: 'Create it.',
      evidence: { host: 'lost.example', server: 'system', error: 'ENOTFOUND' },
    },
    ...(['address', 'tcp', 'tls', 'http', 'token', 'workspaces'] as const).map((stage) =>
      finding({ stage, status: 'skipped', elapsedMs: 0, evidence: { reason: 'blocked by dns' } }),
    ),
  ],
};

/** A text that every format must keep from meaning something. */
export const HOSTILE =
  '</script><img src=x onerror=alert(1)> "\'& ]]> | `x` **b** [l](http://evil.example) @all %0A\n::error::pwn\r\n##[add-mask]x \\ \u0001 \uD800 \u{1F600}';

export const HOSTILE_LINK: LinkResult = {
  ...NO_NAME,
  name: HOSTILE,
  baseUrl: HOSTILE,
  notes: [HOSTILE],
  causes: [{ code: HOSTILE, text: HOSTILE, evidence: HOSTILE, remedy: HOSTILE, inspect: HOSTILE }],
  ruledOut: [{ text: HOSTILE, evidence: HOSTILE }],
  connectTo: [{ from: HOSTILE, to: HOSTILE }],
  probes: [
    {
      name: 'clock',
      changed: HOSTILE,
      ok: false,
      code: HOSTILE,
      elapsedMs: 1,
      evidence: { [HOSTILE]: HOSTILE },
    },
  ],
  stages: [
    finding({
      stage: 'tcp',
      status: 'failed',
      address: HOSTILE,
      code: HOSTILE,
      cause: HOSTILE,
      remedy: HOSTILE,
      evidence: { error: HOSTILE, [HOSTILE]: HOSTILE },
      logId: HOSTILE,
    }),
    finding({ stage: 'tls', status: 'warned', code: HOSTILE, cause: HOSTILE, remedy: HOSTILE }),
    finding({ stage: 'http', status: 'skipped', evidence: { reason: HOSTILE } }),
  ],
};

export function verificationOf(...links: LinkResult[]): Verification {
  return {
    schema: VERIFICATION_SCHEMA,
    verdict: links.every(({ verdict }) => verdict === 'reachable') ? 'reachable' : 'unreachable',
    startedAt: '2026-11-21T02:03:04.567Z',
    elapsedMs: 10_250,
    accessDigest: 'digest-1',
    skewMs: -1500,
    settings: [
      { name: '--key-id', source: 'SECURE_CONNECTIVITY_KEY_ID', value: 'fingerprint-1' },
      { name: 'private key', source: 'SECURE_CONNECTIVITY_PRIVATE_KEY' },
    ],
    links,
  };
}

export const GOOD = verificationOf(GOOD_LINK);
export const MIXED = verificationOf(GOOD_LINK, HALF_DEAD, NO_NAME);

/** The machine of its check stood still. */
export const NOT_SEEN: LinkResult = {
  ...NO_NAME,
  name: 'not-seen',
  verdict: 'incomplete',
  stages: [
    PREFLIGHT,
    finding({ stage: 'dns', status: 'failed', code: 'run.machine-paused', cause: '', remedy: '' }),
  ],
};

export const CONNECTED: ConnectionResult = {
  name: 'order-lookup',
  serviceId: 'epsvc-1',
  endpointId: 'ep-1',
  ownerAccountId: '2100000001',
  status: 'Connected',
  asOf: 'deploy',
};

export const REJECTED: ConnectionResult = {
  ...CONNECTED,
  endpointId: 'ep-2',
  status: 'Rejected',
  code: 'connection.lost',
};

export function withConnections(
  links: readonly LinkResult[],
  ...connections: ConnectionResult[]
): Verification {
  const verdict = links.length === 0 ? 'incomplete' : 'reachable';
  return { ...verificationOf(...links), verdict, connections };
}

const SERVER_OF = { name: 'order-lookup', serviceId: 'epsvc-1', elapsedMs: 12 };

export const HEALTHY: BackendResult = {
  ...SERVER_OF,
  server: '10.40.1.10:8080',
  status: 'passed',
  seen: 'answers GET /health with 200',
  connectedTo: '127.0.0.1:8080',
};

export const SICK: BackendResult = {
  ...SERVER_OF,
  server: '10.40.1.11:8080',
  status: 'failed',
  code: 'backend.unhealthy',
  seen: 'answers GET /health with 503',
};

export const UNSEEN: BackendResult = {
  ...SERVER_OF,
  server: '10.40.1.12:8080',
  status: 'skipped',
  seen: 'not checkable from here: silence for 2 s',
};

export function withBackends(
  links: readonly LinkResult[],
  ...backends: BackendResult[]
): Verification {
  const verdict = links.length === 0 ? 'incomplete' : 'reachable';
  return { ...verificationOf(...links), verdict, backends };
}

const ADDRESSES = Array.from({ length: 24 }, (_, i) => `203.0.113.${i + 1}`);

/** The last of 24 addresses is dead, and its links all fail alike. */
export const MANY_ALIKE: Verification = {
  ...verificationOf(
    GOOD_LINK,
    ...['north', 'south', 'east', 'west', 'centre'].map((name) => ({
      ...HALF_DEAD,
      name,
      causes: HALF_DEAD.causes.map((cause) => ({ ...cause, evidence: `seen from ${name}` })),
      connectTo: ADDRESSES.map((address) => ({ from: `${address}:443`, to: '127.0.0.1:4001' })),
      stages: HALF_DEAD.stages.flatMap((finding) => {
        if (finding.address === '10.1.2.3') {
          return ADDRESSES.slice(0, -1).map((address) => ({ ...finding, address }));
        }
        return { ...finding, ...(finding.address && { address: ADDRESSES.at(-1) ?? '' }) };
      }),
    })),
  ),
  title: 'connectivity check of api-access-production',
  environment: {
    tool: 'secure-connectivity 0.1.0',
    node: '20.19.0',
    openssl: '3.0.15',
    platform: 'linux x64',
    resolvers: ['10.0.0.2:53'],
    proxies: [],
    trust: [],
  },
};

export const CLOSED: ClosedResult = {
  link: 'api',
  vantagePoint: 'guests',
  door: '10.1.2.3:443',
  result: 'closed',
  seen: 'no connection opened (tcp.timeout, TimedOut)',
  reached:
    'office reached 10.1.2.3:443 at 2030-01-02T03:04:01Z, and office at 2030-01-02T03:04:09Z',
  at: '2030-01-02T03:04:05Z',
};
export const OPEN: ClosedResult = {
  ...CLOSED,
  ...{ result: 'OPEN', code: 'intent.open', seen: 'a connection opened' },
};
