import { setTimeout as wait } from 'node:timers/promises';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { safeText } from '../codes/redact.js';
import { asObject, asText } from '../files/json.js';
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
  parseObject,
  readResult,
  type Transport,
  unexpectedAnswer,
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

/** The vendor's example: https://www.volcengine.com/docs/86682/1849925, read on 2026-11-24. */
const PAGE = 100;
const MAX_PAGES = 500;

/** An object as the cloud describes it, under the API's names. */
export interface CloudObject {
  readonly identifier: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Reads what is in the cloud, and can do nothing else. */
export type CloudReader = ReturnType<typeof cloudReader>;

/** Reads with the credentials, the region and the proxy that a stack's provider has. */
export async function openCloudReader(
  block: ProviderBlock,
  env: NodeJS.ProcessEnv,
  onAnswer?: (times: AnswerTimes) => void,
): Promise<CloudReader> {
  return cloudReader(await openCalls(block, env, onAnswer));
}

export function cloudReader({ call, close }: CloudCalls) {
  /** Lists a type's objects page by page: each page is a call. */
  async function* pages(typeName: string): AsyncGenerator<CloudObject[], void> {
    let token: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const details = { TypeName: typeName, MaxResults: PAGE, NextToken: token };
      const result = await call('ListResources', details);
      yield readDescriptions(result.ResourceDescriptions);
      token = asText(result.NextToken);
      if (token === undefined) return;
    }
    const reason = `ListResources of ${typeName} did not end after ${MAX_PAGES} pages`;
    throw new CloudControlError('TooManyPages', reason, 200, 'none');
  }
  return {
    close,
    /** The identifiers of a type's objects, with the properties in the list, which may be few. */
    async list(typeName: string): Promise<CloudObject[]> {
      const found: CloudObject[] = [];
      for await (const page of pages(typeName)) found.push(...page);
      return found;
    },
    pages,
    /** Asks for one object of a type, to see whether that is allowed; undefined where there is none. */
    async first(typeName: string): Promise<CloudObject | undefined> {
      const details = { TypeName: typeName, MaxResults: 1 };
      return readDescriptions((await call('ListResources', details)).ResourceDescriptions)[0];
    },
    /** @returns undefined where there is no such object */
    async get(typeName: string, identifier: string): Promise<CloudObject | undefined> {
      try {
        const details = { TypeName: typeName, Identifier: identifier };
        return readDescription((await call('GetResource', details)).ResourceDescription);
      } catch (error) {
        if (error instanceof CloudControlError && error.isNotFound) return undefined;
        throw error;
      }
    },
  };
}

function readDescriptions(descriptions: unknown): CloudObject[] {
  if (descriptions === undefined || descriptions === null) return [];
  if (Array.isArray(descriptions)) return descriptions.map(readDescription);
  throw unexpectedAnswer('the list has no descriptions');
}

function readDescription(description: unknown): CloudObject {
  const { Identifier: written, Properties: properties } = asObject(description) ?? {};
  const identifier = asText(written);
  if (identifier === undefined) throw unexpectedAnswer('a description has no identifier');
  return {
    identifier,
    properties:
      (typeof properties === 'string' ? parseObject(properties) : asObject(properties)) ?? {},
  };
}

/**
 * Makes a call that reads the cloud; an error names the call and no credential.
 *
 * @throws ConnectivityError `cloud.unreadable`
 */
export async function explainCall<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ConnectivityError) throw cause;
    const reason = safeText(cause instanceof Error ? readReason(cause) : String(cause));
    throw new ConnectivityError('cloud.unreadable', `${what} failed: ${reason}`, { cause });
  }
}

/** The network's own words are in the cause. */
function readReason({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
