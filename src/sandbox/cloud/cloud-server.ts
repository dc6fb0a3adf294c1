import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { foreignCaller } from '../../net/host-name.js';
import { type JsonObject, readText } from '../json.js';
import { foreignPart, readJson, serveJson } from '../listeners/json-over-http.js';
import type { Listener } from '../listeners/listen.js';
import { ACCOUNT_ID, REGION } from '../surroundings.js';
import type { Cloud } from './cloud.js';
import { CloudError, invalid } from './cloud-error.js';
import { perform, VERSION } from './operations.js';

/** Serves the Cloud Control API, and roles, over HTTP on a free loopback port. */
export function startCloudServer(
  cloud: Cloud,
  accessKey: string,
  region: string = REGION,
): Promise<Listener> {
  let requests = 0;
  // Closed sooner, a connection could go while a client that waits between two calls takes it up again.
  const options = { keepAliveTimeout: 60_000 };
  return serveJson((request) => {
    requests += 1;
    const requestId = `sandbox-${Date.now().toString(16)}-${requests}`;
    return answer({ cloud, accessKey, region }, request, requestId);
  }, options);
}

interface Facts {
  readonly cloud: Cloud;
  readonly accessKey: string;
  readonly region: string;
}

async function answer(facts: Facts, request: IncomingMessage, id: string) {
  // A target such as `//` is no URL.
  const searchParams = new URLSearchParams(request.url?.split('?')[1]);
  const action = searchParams.get('Action') ?? '';
  const version = searchParams.get('Version') ?? '';
  const metadata = { RequestId: id, Action: action, Version: version };
  const isRole = action === 'AssumeRole' && version === STS_VERSION;
  const rest = { Service: isRole ? 'sts' : 'cloudcontrol', Region: facts.region };
  try {
    const foreign = isRole ? foreignCaller(request.headers) : foreignPart(request);
    if (foreign !== undefined) throw new CloudError('InvalidRequest', foreign, 403);
    checkAccessKey(request.headers, facts.accessKey);
    const result = isRole ? assumeRole(searchParams) : await control(facts, request, searchParams);
    return { status: 200, body: { ResponseMetadata: { ...metadata, ...rest }, Result: result } };
  } catch (error) {
    const { code, message, status } = refusal(error);
    const refused = { CodeN: 100_000 + status, Code: code, Message: message };
    return { status, body: { ResponseMetadata: { ...metadata, ...rest, Error: refused } } };
  }
}

async function control(
  { cloud, region }: Facts,
  request: IncomingMessage,
  parameters: URLSearchParams,
) {
  if (request.method !== 'POST' || parameters.get('Version') !== VERSION) {
    throw new CloudError('InvalidActionOrVersion', `expected POST and Version=${VERSION}`, 404);
  }
  const body = await readJson(request);
  checkRegion(body, region);
  return perform(cloud, parameters.get('Action') ?? '', body);
}

function refusal(error: unknown): Pick<CloudError, 'code' | 'message' | 'status'> {
  if (error instanceof CloudError) return error;
  if (error instanceof SyntaxError) {
    return { code: 'InvalidJson', message: 'the body is not a JSON object', status: 400 };
  }
  return { code: 'InternalError', message: String(error), status: 500 };
}

// The provider puts quotes around the region in some calls.
function checkRegion(body: JsonObject, own: string): void {
  const region = readText(body, 'RegionID').replaceAll('"', '');
  if (region !== '' && region !== own) {
    throw invalid('RegionID', `must be ${own}`, region, 'InvalidRegion');
  }
}

/** The version of the service that gives out roles. */
const STS_VERSION = '2018-01-01';

/** The key pair of a role's session. Like that of the account, it is of no use outside the sandbox. */
const ROLE_KEYS = {
  AccessKeyId: 'AKSANDBOXROLE',
  SecretAccessKey: 'sandbox-role',
  SessionToken: 'sandbox-role-session',
} as const;

const MIN_SECONDS = 900;
const MAX_SECONDS = 43_200;

/**
 * Answers `AssumeRole`: the account has every role that is named after it or another account, for who
 * trusts whom is not emulated.
 *
 * @throws CloudError
 */
function assumeRole(parameters: URLSearchParams): object {
  const trn = parameters.get('RoleTrn') ?? '';
  const [, account, role] = /^trn:iam::(\d+):role\/([\w+=,.@/-]{1,64})$/.exec(trn) ?? [];
  if (account === undefined) throw invalid('RoleTrn', 'must be trn:iam::ACCOUNT:role/NAME', trn);
  const session = parameters.get('RoleSessionName') ?? '';
  if (session === '') throw new CloudError('MissingParameter', '`RoleSessionName` is required');
  const seconds = Number(parameters.get('DurationSeconds') ?? 3600);
  if (!(seconds >= MIN_SECONDS && seconds <= MAX_SECONDS)) {
    throw new CloudError(
      'InvalidDurationSeconds',
      `\`DurationSeconds\` must be ${MIN_SECONDS} to ${MAX_SECONDS}, got: ${seconds}`,
    );
  }
  const now = Date.now();
  return {
    Credentials: {
      CurrentTime: new Date(now).toISOString(),
      ExpiredTime: new Date(now + seconds * 1000).toISOString(),
      ...ROLE_KEYS,
    },
    AssumedRoleUser: {
      Trn: `trn:sts::${account}:assumed-role/${role}/${session}`,
      AssumedRoleId: `${ACCOUNT_ID}:${session}`,
    },
  };
}

/**
 * Checks that a signed request is signed with the sandbox's access key, or that of a role's session.
 * The signature is not recomputed, for the key is no secret here.
 */
function checkAccessKey(headers: IncomingHttpHeaders, accessKey: string): void {
  const { authorization, 'x-security-token': token } = headers;
  if (authorization === undefined) return;
  const credential = /^HMAC-SHA256 Credential=([^/,\s]+)\//.exec(authorization)?.[1];
  const isRole = credential === ROLE_KEYS.AccessKeyId && token === ROLE_KEYS.SessionToken;
  if (credential === accessKey || isRole) return;
  throw new CloudError('InvalidAccessKey', 'the access key is not known', 401);
}
