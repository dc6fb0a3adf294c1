import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { foreignCaller } from '../../net/host-name.js';
import { type JsonObject, readText } from '../json.js';
import { foreignPart, readJson, sendJson } from '../listeners/json-over-http.js';
import { type Listener, listen } from '../listeners/listen.js';
import type { Cloud } from './cloud.js';
import { CloudError } from './cloud-error.js';
import { assumeRole, checkAccessKey, STS_VERSION } from './credentials.js';
import { perform, VERSION } from './operations.js';
import { REGION } from './region.js';

/** Serves the Cloud Control API, and roles, over HTTP on a free loopback port. */
export function startCloudServer(
  cloud: Cloud,
  accessKey: string,
  region: string = REGION,
): Promise<Listener> {
  let requests = 0;
  // Closed sooner, a connection could go while a client that waits between two calls takes it up again.
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    requests += 1;
    const requestId = `sandbox-${Date.now().toString(16)}-${requests}`;
    void answer({ cloud, accessKey, region }, request, response, requestId);
  });
  return listen(server);
}

interface Facts {
  readonly cloud: Cloud;
  readonly accessKey: string;
  readonly region: string;
}

async function answer(
  { cloud, accessKey, region }: Facts,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  // A target such as `//` is no URL.
  const searchParams = new URLSearchParams(request.url?.split('?')[1]);
  const action = searchParams.get('Action') ?? '';
  const version = searchParams.get('Version') ?? '';
  const metadata = { RequestId: requestId, Action: action, Version: version };
  const isRole = action === 'AssumeRole' && version === STS_VERSION;
  const rest = { Service: isRole ? 'sts' : 'cloudcontrol', Region: region };
  try {
    const foreign = isRole ? foreignCaller(request.headers) : foreignPart(request);
    if (foreign !== undefined) throw new CloudError('InvalidRequest', foreign, 403);
    checkAccessKey(request.headers, accessKey);
    const result = isRole
      ? assumeRole(searchParams)
      : await control({ cloud, region }, request, searchParams);
    sendJson(response, 200, { ResponseMetadata: { ...metadata, ...rest }, Result: result });
  } catch (error) {
    const { code, message, status } = refusal(error);
    const refused = { CodeN: 100_000 + status, Code: code, Message: message };
    sendJson(response, status, { ResponseMetadata: { ...metadata, ...rest, Error: refused } });
  }
}

async function control(
  { cloud, region }: Omit<Facts, 'accessKey'>,
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
    throw new CloudError('InvalidRegion', `\`RegionID\` must be ${own}, got: "${region}"`);
  }
}
