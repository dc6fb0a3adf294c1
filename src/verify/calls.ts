import { signJwt } from '../service/jwt.js';
import type { Caller } from '../service/speak-over.js';
import { tokenRequest } from '../service/token.js';
import { workspacesRequest } from '../service/workspaces.js';
import type { LinkContext } from './link-context.js';
import type { Answer } from './path.js';

/** A call without any credential: what comes back shows who is there. */
export async function probe(
  connection: Caller,
  call: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Answer> {
  const request = workspacesRequest(undefined, { pageSize: 1 });
  return { response: await connection.request(request, call) };
}

/**
 * The token call, with a JWT of its own.
 *
 * @param now milliseconds since the epoch, by which the JWT is signed
 */
export async function callToken(
  { run, link }: LinkContext,
  connection: Caller,
  call: { readonly signal: AbortSignal; readonly timeoutMs: number },
  now: () => number = Date.now,
): Promise<Answer> {
  const { enterpriseId = '', appId = '', keyId = '', ...rest } = run.options.credentials ?? {};
  const { durationSeconds, sessionName = run.options.chat?.userId } = rest;
  const { jwt, claims } = await signJwt({
    privateKey: (await run.key()).key,
    keyId,
    appId,
    apiHost: link.apiHost,
    now,
    ...(sessionName !== undefined && { sessionName }),
  });
  const request = tokenRequest({
    enterpriseId,
    jwt,
    ...(durationSeconds !== undefined && { durationSeconds }),
  });
  return { response: await connection.request(request, call), claims };
}
