import type { Dispatcher } from 'undici';
import type { ServiceResponse } from './response.js';
import type { ServiceRequest } from './service-request.js';

type Headers = Dispatcher.ResponseData['headers'];

/** A request of the service as the HTTP client takes it. */
export function dispatchOptions(
  { method, path, credential, body, accept = 'application/json' }: ServiceRequest,
  signal: AbortSignal,
): Dispatcher.RequestOptions {
  return {
    method,
    path,
    signal,
    headers: {
      accept,
      'content-type': 'application/json',
      ...(credential && { authorization: `Bearer ${credential.reveal()}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // The call has one timer, its own; these would be a second, coarser one.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

/** A whole answer, without the credential that the request carried. */
export function readResponse(
  answer: { readonly statusCode: number; readonly headers: Headers; readonly text: string },
  { credential }: ServiceRequest,
  sentAt: number,
): ServiceResponse {
  const text = credential ? answer.text.replaceAll(credential.reveal(), '[redacted]') : answer.text;
  return {
    status: answer.statusCode,
    headers: readHeaders(answer.headers),
    text,
    json: parseJson(text),
    sentAt,
    receivedAt: Date.now(),
  };
}

export function readHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
}

/** @returns undefined where the text is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
