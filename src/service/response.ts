/** A complete answer of the service, or of what stands in its place. */
export interface ServiceResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, with every occurrence of the credential that was sent taken out. */
  readonly text: string;
  /** The body as JSON; undefined where it is not JSON. */
  readonly json: unknown;
  /** Milliseconds since the epoch, before the request was sent. */
  readonly sentAt: number;
  /** Milliseconds since the epoch, when the whole answer was there. */
  readonly receivedAt: number;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The service's ID of the request, from header `x-tt-logid`, `detail.logid` or `logid`. */
export function logIdOf({ headers, json }: ServiceResponse): string | undefined {
  const body = asObject(json);
  const found =
    asText(headers['x-tt-logid']) ??
    asText(asObject(body?.detail)?.logid) ??
    asText(body?.logid) ??
    asText(asObject(body?.error)?.logid);
  return found !== undefined && /^[\w.-]{1,128}$/.test(found) ? found : undefined;
}

/**
 * Whether the answer bears a mark of the service: its log id header, or one of its JSON envelopes.
 * No status is needed: an error of the service is the service.
 */
export function isFromService(response: ServiceResponse): boolean {
  if (logIdOf(response) !== undefined) return true;
  const body = asObject(response.json);
  if (body === undefined) return false;
  return (
    (typeof body.access_token === 'string' && typeof body.expires_in === 'number') ||
    typeof body.error_code === 'string' ||
    (typeof body.code === 'number' && typeof body.msg === 'string')
  );
}
