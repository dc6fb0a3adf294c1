export const VERIFICATION_SCHEMA = 'secure-connectivity/verification@1';
export const LINK_RECORD_SCHEMA = 'secure-connectivity/link-verification@1';
export const CONNECTION_RECORD_SCHEMA = 'secure-connectivity/connection@1';
export const BACKEND_RECORD_SCHEMA = 'secure-connectivity/backend@1';
export const CLOSED_RECORD_SCHEMA = 'secure-connectivity/expected-closed@1';

/** A stage of the check of one link, and what reports show of it. */
interface StageRow {
  /** The place that it looks at, in the drawing of the path. */
  readonly place: string;
  /** It waits for the network: it shares the time of the run with the later ones that wait. */
  readonly waits?: true;
  /** The evidence in its line, in order; the rest stays in the JSON. */
  readonly summary: readonly string[];
  /** The evidence that a report shows where the stage passed, unless everything is asked for. */
  readonly brief: readonly string[];
}

const CALL = [
  ...['httpStatus', 'serviceCode', 'serviceMessage', 'location', 'problem'],
  ...['retryAfterSeconds', 'retryAfter', 'age', 'xCache', 'sender', 'error'],
] as const;

/** The stages in order. */
export const STAGE_ROWS = {
  preflight: {
    place: 'This machine',
    summary: [
      ...['kid', 'iss', 'aud', 'missing', 'problem', 'error', 'chmod'],
      ...['node', 'exit', 'signal', 'stderr'],
    ],
    brief: ['kid'],
  },
  dns: {
    place: 'Name',
    waits: true,
    summary: ['addresses', 'server', 'fails', 'error', 'own'],
    brief: ['addresses', 'server'],
  },
  address: {
    place: 'Address',
    summary: ['range', 'family', 'right', 'expected', 'missing', 'compared'],
    brief: ['compared'],
  },
  tcp: {
    place: 'Connection',
    waits: true,
    summary: ['port', 'connectedTo', 'addresses', 'error', 'own'],
    brief: ['port'],
  },
  tls: {
    place: 'TLS',
    waits: true,
    summary: [
      ...[
        'protocol',
        'serverName',
        'rsaBits',
        'names',
        'issuer',
        'validTo',
        'daysLeft',
        'see',
        'trust',
      ],
      ...['alert', 'reason', 'received', 'error'],
    ],
    brief: ['protocol', 'validTo', 'daysLeft', 'trust'],
  },
  // The first answer is that of the token call.
  http: {
    place: 'Service',
    summary: [
      ...['httpStatus', 'location', 'problem', 'retryAfterSeconds', 'retryAfter', 'skewMs'],
      ...['withoutCredential', 'sender', 'error'],
    ],
    brief: ['httpStatus', 'skewMs'],
  },
  token: {
    place: 'Token',
    waits: true,
    summary: ['validForSeconds', ...CALL, 'skewMs'],
    brief: ['validForSeconds'],
  },
  workspaces: {
    place: 'API',
    waits: true,
    summary: ['count', 'workspaces', ...CALL],
    brief: ['count'],
  },
} as const satisfies Record<string, StageRow>;

export type StageName = keyof typeof STAGE_ROWS;

/** The stages of the check of one link, in order. */
export const STAGE_NAMES = Object.keys(STAGE_ROWS) as readonly StageName[];

type WaitingStage = {
  [Name in StageName]: (typeof STAGE_ROWS)[Name] extends { readonly waits: true } ? Name : never;
}[StageName];

/** Counts the stages that share the remaining time, this one included. */
export function stagesLeft(from: WaitingStage): number {
  const later = STAGE_NAMES.slice(STAGE_NAMES.indexOf(from));
  return later.filter((name) => 'waits' in STAGE_ROWS[name]).length;
}

/** `reachable` means that everything that was requested was seen to work. */
export const VERDICTS = ['reachable', 'not-authorized', 'unreachable', 'incomplete'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const PROBE_NAMES = [
  'resolver',
  'same-resolver',
  'pinned-address',
  'server-name',
  'first-bytes',
  'no-credential',
  'no-authorization',
  'proxy',
  'large-request',
  'new-connection',
  'small-answer',
  'clock',
  'server-time',
  'own-address',
] as const;
export type ProbeName = (typeof PROBE_NAMES)[number];

/** A name that nobody has: who shows a certificate for it makes certificates on the way. */
export const NOBODYS_NAME = 'unknown-name.invalid';

/** No ServerHello is as short, in bytes. */
export const MIN_SERVER_HELLO = 47;

/** More than the largest packet of Ethernet carries. */
export const FULL_PACKET_BYTES = 1_500;

/** The changes that the probe `first-bytes` makes. */
export const FIRST_BYTES = {
  nothing: 'nothing sent',
  words: 'plain HTTP',
  hello: 'a hello that is refused',
  smallPackets: 'a handshake in small packets',
} as const;

/**
 * The kinds of patterns in failures seen from several vantage points; `path` is one link from one
 * vantage point.
 */
export const PATTERN_KINDS = ['vantage-point', 'link', 'everywhere', 'path', 'unseen'] as const;

/** The uses of a host. */
export const HOST_USES = ['resolver', 'proxy', 'service'] as const;
