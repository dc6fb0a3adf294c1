import { ConnectivityError } from '../../codes/connectivity-error.js';
import { asObject } from '../../files/json.js';
import {
  type CallOptions,
  isInFormat,
  readRetryAfter,
  type ServiceConnection,
  type ServiceRequest,
  type ServiceResponse,
} from '../../service/http/message.js';
import { FULL_PACKET_BYTES } from '../model/verification-names.js';
import { type Path, type Step, step } from './path.js';

/**
 * Sends a call in packets of full size, by a header that fills them: one that is answered proves that what
 * clients send later can pass. What is refused is sent without that header too before anything is
 * concluded; the header is what is refused only where it meets that twice.
 *
 * @throws as {@link Path.connection}
 */
export async function callInFullPackets(
  { connection, openAnother }: Pick<Path, 'connection' | 'openAnother'>,
  request: ServiceRequest,
  { signal, timeoutMs }: Required<Pick<CallOptions, 'signal' | 'timeoutMs'>>,
): Promise<ServiceResponse> {
  const end = performance.now() + timeoutMs;
  const filled = { ...request, fillingBytes: FULL_PACKET_BYTES };
  const send = async (over: ServiceConnection, call: ServiceRequest) =>
    await step(() =>
      over.request(call, { signal, timeoutMs: Math.max(1, end - performance.now()) }),
    );
  const anew = async (call: ServiceRequest) => {
    const own = openAnother();
    const done = await send(own, call);
    await own.close();
    return done;
  };
  const first = await send(connection, filled);
  if (isDecided(request, first)) return outcome(first);
  const small = await anew(request);
  if (!small.ok || !isSuccess(request, small.value)) return outcome(small.ok ? small : first);
  const again = await anew(filled);
  return outcome(again.ok && isSuccess(request, again.value) ? first : small);
}

/** Tells whether the header cannot be what is refused, or nothing more may be asked. */
function isDecided(request: ServiceRequest, done: Step<ServiceResponse>): boolean {
  if (done.ok) return isSuccess(request, done.value) || readRetryAfter(done.value) !== undefined;
  return !(done.error instanceof ConnectivityError && done.error.code === 'http.reset');
}

function isSuccess({ credential }: ServiceRequest, response: ServiceResponse): boolean {
  if (!isInFormat(response)) return false;
  return credential === undefined || asObject(response.json)?.code === 0;
}

function outcome<T>(done: Step<T>): T {
  if (done.ok) return done.value;
  throw done.error;
}
