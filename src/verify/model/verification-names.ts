export const VERIFICATION_SCHEMA = 'secure-connectivity/verification@1';
export const LINK_RECORD_SCHEMA = 'secure-connectivity/link-verification@1';
export const CONNECTION_RECORD_SCHEMA = 'secure-connectivity/connection@1';
export const BACKEND_RECORD_SCHEMA = 'secure-connectivity/backend@1';

/** The stages of the check of one link, in order; `chat` only on request. */
export const STAGE_NAMES = [
  'preflight',
  'dns',
  'address',
  'tcp',
  'tls',
  'http',
  'token',
  'workspaces',
  'chat',
] as const;
export type StageName = (typeof STAGE_NAMES)[number];

/** `reachable` means that everything that was requested was seen to work. */
export const VERDICTS = ['reachable', 'not-authorized', 'unreachable', 'incomplete'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const PROBE_NAMES = [
  'resolver',
  'same-resolver',
  'pinned-address',
  'server-name',
  'hello-size',
  'no-credential',
  'proxy',
  'large-request',
  'clock',
  'server-time',
  'own-address',
] as const;
export type ProbeName = (typeof PROBE_NAMES)[number];

/** What can differ from an earlier report. */
export const CHANGE_KINDS = [
  'new',
  'gone',
  'verdict',
  'addresses',
  'certificate',
  'issuer',
  'zone',
  'latency',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What failures seen from several vantage points share; `path` is one link from one vantage point. */
export const PATTERN_KINDS = ['vantage-point', 'link', 'everywhere', 'path', 'unseen'] as const;

/** What a host was for. */
export const HOST_USES = ['resolver', 'proxy', 'service'] as const;
