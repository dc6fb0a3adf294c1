import { setTimeout as wait } from 'node:timers/promises';
import {
  type ProviderBlock,
  type ProviderSettings,
  readCredentials,
  readProviderSettings,
} from './provider-settings.js';
import { type Credentials, signRequest } from './sign-request.js';
import {
  type AnswerTimes,
  CloudControlError,
  httpTransport,
  readResult,
  type Transport,
  VERSION,
} from './transport.js';

/** Calls of the cloud's API as one identity. */
export interface CloudCalls {
  readonly call: ReturnType<typeof makeCall>;
  readonly close: () => Promise<void>;
}

/** Calls with the credentials, the region and the proxy that a stack's provider has. */
export async function openCalls(
  block: ProviderBlock,
  env: NodeJS.ProcessEnv,
  onAnswer?: (times: AnswerTimes) => void,
): Promise<CloudCalls> {
  const settings = readProviderSettings(block, env);
  const transport = httpTransport(settings.proxy, onAnswer);
  try {
    const credentials = await readCredentials(settings, env, transport);
    return {
      call: makeCall(settings, credentials, transport),
      close: () => transport.close(),
    };
  } catch (error) {
    await transport.close();
    throw error;
  }
}

const RETRY_AFTER_MS = [500, 1500, 4000];

/**
 * Calls actions of the API, and again after each of some pauses what failed in a way that may pass: a write has
 * none, because it may have been done.
 */
export function makeCall(
  { endpoint, region }: Pick<ProviderSettings, 'endpoint' | 'region'>,
  credentials: Credentials,
  transport: Transport,
) {
  return async function call(
    action: string,
    details: object,
    [delay, ...later]: readonly number[] = RETRY_AFTER_MS,
  ): Promise<ReturnType<typeof readResult>> {
    const url = new URL(endpoint);
    url.search = new URLSearchParams({ Action: action, Version: VERSION }).toString();
    const body = JSON.stringify({ RegionID: region, ...details });
    const contentType = 'application/json; charset=utf-8';
    const request = { method: 'POST', url, body, service: 'cloudcontrol', region } as const;
    try {
      const headers = signRequest({ ...request, contentType }, credentials);
      return readResult(await transport({ ...request, headers }));
    } catch (error) {
      const isTransient = !(error instanceof CloudControlError) || error.isRetryable;
      if (!isTransient || delay === undefined) throw error;
      await wait(delay);
      return call(action, details, later);
    }
  };
}
