import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CloudControlError,
  type HttpAnswer,
  readResult,
  VERSION,
} from '../../../cloud-control/transport.js';
import { httpPost } from '../../listeners/json-over-http.js';
import { type Diagnostic, error, errorText } from '../stand-in-provider.js';
import { hasUnknown, isObject, type ObjectValue } from '../value.js';
import type { PatchOperation } from './patch.js';
import { isJsonObject, type Json, type JsonObject } from './state-conversion.js';

/** Where the emulated cloud is and as whom it is called. */
interface CloudSettings {
  /** Absent until something has to be asked: a plan on an empty state needs no cloud. */
  readonly endpoint?: string;
  readonly region: string;
  readonly accessKey: string;
}

/** Reads the provider block, with the environment filling in what it leaves out. */
export function cloudSettings(
  config: ObjectValue,
  environment: NodeJS.ProcessEnv,
): CloudSettings | Diagnostic[] {
  if (hasUnknown(config)) return [error('Unknown Value', 'An attribute value is not yet known')];
  const accessKey = text(config.access_key) ?? environment.VOLCENGINE_ACCESS_KEY ?? '';
  const secretKey = text(config.secret_key) ?? environment.VOLCENGINE_SECRET_KEY ?? '';
  const profile = text(config.profile) ?? environment.VOLCENGINE_PROFILE ?? '';
  const region = text(config.region) ?? environment.VOLCENGINE_REGION ?? '';
  const endpoints = isObject(config.endpoints) ? config.endpoints : {};
  const endpoint =
    text(endpoints.cloudcontrolapi) ?? (environment.VOLCENGINE_CC_ENDPOINT || undefined);
  const wrong: Diagnostic[] = [];
  if ((accessKey === '' || secretKey === '') && profile === '') {
    wrong.push(
      error(
        'Invalid Authentication Configuration',
        'Either (AccessKey and SecretKey) or Profile must be provided',
      ),
    );
  }
  if (region === '') wrong.push(error('Missing Region', 'Region must be set'));
  if (wrong.length > 0) return wrong;
  return { region, accessKey, ...(endpoint === undefined ? {} : { endpoint }) };
}

function text(value: ObjectValue[string] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * The address of the emulated cloud.
 *
 * @throws Error when there is none, or when it is not plain HTTP on loopback: this provider must never
 * reach a real cloud
 */
function loopbackUrl(endpoint: string | undefined): URL {
  if (endpoint === undefined) {
    throw new Error(
      '`VOLCENGINE_CC_ENDPOINT` must name the emulated cloud, got: nothing. Run this through `secure-connectivity sandbox`.',
    );
  }
  const url = URL.parse(endpoint.includes('://') ? endpoint : `http://${endpoint}`);
  if (url?.protocol !== 'http:' || !isLoopback(url.hostname)) {
    throw new Error(
      `\`VOLCENGINE_CC_ENDPOINT\` must be plain HTTP on loopback for the sandbox's provider, got: "${endpoint}". Use the genuine provider for a real cloud.`,
    );
  }
  return url;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

const POLL_MS = 20;
const RETRY_AFTER_MS = [100, 300, 1000];

/** Calls the Cloud Control API of the sandbox and waits for its tasks. */
export class CloudControlClient {
  constructor(
    private readonly settings: CloudSettings,
    private readonly stopped: AbortSignal,
  ) {}

  /** Answers the identifier of the object made. */
  async create(typeName: string, targetState: JsonObject): Promise<string> {
    const event = await this.operate('CreateResource', typeName, { TargetState: targetState });
    const identifier = asText(event.Identifier);
    if (identifier === undefined) {
      throw new Error('The task succeeded without an Identifier.');
    }
    return identifier;
  }

  /** Answers the object's properties. */
  async get(typeName: string, identifier: string): Promise<JsonObject> {
    const result = await this.call('GetResource', {
      TypeName: typeName,
      RegionID: this.settings.region,
      Identifier: identifier,
    });
    const description = result.ResourceDescription;
    const text = isJsonObject(description) ? asText(description.Properties) : undefined;
    const properties: Json = text === undefined ? null : JSON.parse(text);
    if (!isJsonObject(properties)) {
      throw new Error('GetResource answered without the properties of the object.');
    }
    return properties;
  }

  async update(
    typeName: string,
    identifier: string,
    patch: readonly PatchOperation[],
  ): Promise<void> {
    const details = { Identifier: identifier, PatchDocument: patch };
    await this.operate('UpdateResource', typeName, details);
  }

  async delete(typeName: string, identifier: string): Promise<void> {
    await this.operate('DeleteResource', typeName, { Identifier: identifier });
  }

  private async operate(
    action: string,
    typeName: string,
    details: JsonObject,
  ): Promise<JsonObject> {
    const started = await this.call(action, {
      TypeName: typeName,
      RegionID: this.settings.region,
      ClientToken: randomUUID(),
      ...details,
    });
    return this.awaitTask(started);
  }

  private async awaitTask(started: JsonObject): Promise<JsonObject> {
    let event = started;
    while (event.OperationStatus === 'IN_PROGRESS' || event.OperationStatus === 'PENDING') {
      try {
        await wait(POLL_MS, undefined, { signal: this.stopped });
        event = await this.call('GetTask', { TaskID: started.TaskID ?? null });
      } catch (error) {
        const reason = this.stopped.aborted ? 'Terraform was interrupted.' : errorText(error);
        throw new Error(`The task's end was not seen: ${reason}`);
      }
    }
    if (event.OperationStatus === 'SUCCESS') return event;
    const code = asText(event.ErrorCode) ?? `OperationStatus ${event.OperationStatus}`;
    const message = asText(event.StatusMessage) ?? 'no message';
    const task = asText(started.TaskID) ?? 'none';
    throw new Error(`${code}: ${message} (task ${task})`);
  }

  private async call(
    action: string,
    body: JsonObject,
    [delay, ...later]: readonly number[] = RETRY_AFTER_MS,
  ): Promise<JsonObject> {
    const url = loopbackUrl(this.settings.endpoint);
    url.search = new URLSearchParams({ Action: action, Version: VERSION }).toString();
    try {
      return readResult(await this.post(url, JSON.stringify(body))) as JsonObject;
    } catch (error) {
      const isRetryable = error instanceof CloudControlError && error.isRetryable;
      if (!isRetryable || delay === undefined) throw error;
      await wait(delay);
      return await this.call(action, body, later);
    }
  }

  private async post(url: URL, body: string): Promise<HttpAnswer> {
    try {
      return await httpPost(url, { authorization: credential(this.settings) }, body);
    } catch (error) {
      throw new Error(`The emulated cloud at ${url.host} does not answer: ${errorText(error)}`);
    }
  }
}

/** Says who is calling; the emulated cloud knows the caller by it and checks no signature. */
function credential({ accessKey, region }: CloudSettings): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  return `HMAC-SHA256 Credential=${accessKey}/${day}/${region}/cloudcontrol/request, SignedHeaders=host, Signature=none`;
}

function asText(json: Json | undefined): string | undefined {
  return typeof json === 'string' && json !== '' ? json : undefined;
}
