import { CloudControlError } from './cloud-control-error.js';

/** The version of the API that the provider speaks. */
export const VERSION = '2025-06-01';

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The result of an answer of the cloud's API. An error may come with any status, even 200.
 *
 * @throws CloudControlError
 */
export function readResult({ status, body }: HttpAnswer): JsonObject {
  const answer = parseObject(body);
  const metadata = asObject(answer.ResponseMetadata);
  const requestId = readText(metadata.RequestId) ?? 'none';
  if (isObject(metadata.Error)) {
    const code = readText(metadata.Error.Code) ?? 'Unknown';
    const message = readText(metadata.Error.Message) ?? 'no message';
    throw new CloudControlError(code, message, status, requestId);
  }
  if (status >= 400) throw new CloudControlError('Unknown', 'no message', status, requestId);
  return asObject(answer.Result);
}

/** The object that a text holds; an empty one where it holds none. */
export function parseObject(text: string): JsonObject {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return {};
  }
}

export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
