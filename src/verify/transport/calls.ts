import type { ServiceConnection } from '../../service/http/connection.js';
import type { CallOptions } from '../../service/http/message.js';
import { present } from '../../service/json.js';
import type { DeviceInfo } from '../../service/token/jwt.js';
import { callToken } from '../../service/token/token-call.js';
import { workspacesRequest } from '../../service/workspaces.js';
import type { Credentials } from '../model/options.js';
import type { LinkContext } from './link-context.js';
import type { Answer } from './path.js';

/** A call without any credential: what comes back shows who is there. */
export async function probe(connection: ServiceConnection, call: CallOptions): Promise<Answer> {
  const request = workspacesRequest(undefined, { pageSize: 1 });
  return { response: await connection.request(request, call) };
}

/**
 * The token call, with a JWT of its own.
 *
 * @param now milliseconds since the epoch, by which the JWT is signed
 */
export async function askForToken(
  { run, link }: LinkContext,
  connection: ServiceConnection,
  call: CallOptions,
  now: () => number = Date.now,
): Promise<Answer> {
  const { enterpriseId = '', appId = '', keyId = '', ...rest } = run.options.credentials ?? {};
  const { durationSeconds, sessionName = run.options.chat?.userId } = rest;
  const device = deviceOf(rest);
  const { apiHost } = link;
  const privateKey = (await run.key()).key;
  const who = { enterpriseId, appId, keyId, apiHost, privateKey, now };
  return await callToken(
    connection,
    { ...who, ...present({ durationSeconds, sessionName, device }) },
    call,
  );
}

/** Undefined where no device is given. */
export function deviceOf({ deviceId, customConsumer }: Credentials): DeviceInfo | undefined {
  if (deviceId === undefined && customConsumer === undefined) return undefined;
  return present({ deviceId, customConsumer });
}
