import type { ServiceConnection } from '../../service/http/connection.js';
import type { CallOptions } from '../../service/http/message.js';
import { present } from '../../service/json.js';
import { sendJwt } from '../../service/token/token-call.js';
import { workspacesRequest } from '../../service/workspaces.js';
import type { LinkContext } from './link-context.js';
import type { Answer } from './path.js';

/** Within the run, and within the time of the first of so many steps that share what is left. */
export function callLimits(
  { signal, budgetMs }: Pick<LinkContext, 'signal' | 'budgetMs'>,
  steps: number,
): CallOptions {
  // It is listened to and asked for its reason, and nothing else.
  return { signal: signal as AbortSignal, timeoutMs: budgetMs(steps) };
}

/** A call without any credential: what comes back shows who is there. */
export async function probe(connection: ServiceConnection, call: CallOptions): Promise<Answer> {
  const request = workspacesRequest(undefined, { pageSize: 1 });
  return { response: await connection.request(request, call) };
}

/**
 * The token call, with a JWT of its own.
 *
 * @param now milliseconds since the epoch, by which the JWT is signed; the signer's clock by default
 */
export async function askForToken(
  { run, link }: LinkContext,
  connection: ServiceConnection,
  call: CallOptions,
  now?: () => number,
): Promise<Answer> {
  const { enterpriseId = '', durationSeconds } = run.options.credentials ?? {};
  const sign = (own: CallOptions) => run.signer.sign(link.apiHost, own, now);
  return await sendJwt(connection, { enterpriseId, ...present({ durationSeconds }) }, sign, call);
}
