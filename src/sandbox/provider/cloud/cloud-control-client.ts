import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { makeCall } from '../../../cloud-control/cloud-reader.js';
import type { readResult, Transport } from '../../../cloud-control/transport.js';
import { Secret } from '../../../codes/secret.js';
import { asObject, asText } from '../../../files/json.js';
import { LOOPBACK_HOST } from '../../../net/host-name.js';
import { isObject as isJsonObject, type JsonObject } from '../../json.js';
import { httpPost } from '../../listeners/json-over-http.js';
import { type Diagnostic, error, errorText } from '../stand-in-provider.js';
import { hasUnknown, isObject, type ObjectValue } from '../value.js';

/** The address of the emulated cloud, and the identity that calls it. */
interface CloudSettings {
  /** May be '' until something has to be asked: a plan on an empty state needs no cloud. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
}

/**
 * Reads the provider block, with the environment filling in what it leaves out. An access key of the
 * block is one of a real cloud, and the environment's is this one's.
 */
export function cloudSettings(
  config: ObjectValue,
  environment: NodeJS.ProcessEnv,
): CloudSettings | Diagnostic[] {
  if (hasUnknown(config)) return [error('Unknown Value', 'An attribute value is not yet known')];
  const text = (value: ObjectValue[string] | undefined, variable: string) =>
    typeof value === 'string' ? value : (environment[variable] ?? '');
  const accessKey = environment.VOLCENGINE_ACCESS_KEY || text(config.access_key, '');
  const secretKey = text(config.secret_key, 'VOLCENGINE_SECRET_KEY');
  const profile = text(config.profile, 'VOLCENGINE_PROFILE');
  const region = text(config.region, 'VOLCENGINE_REGION');
  const endpoints = isObject(config.endpoints) ? config.endpoints : {};
  const endpoint = text(endpoints.cloudcontrolapi, 'VOLCENGINE_CC_ENDPOINT');
  const wrong: Diagnostic[] = [];
  if ((accessKey === '' || secretKey === '') && profile === '') {
    const rule = 'Either (AccessKey and SecretKey) or Profile must be provided';
    wrong.push(error('Invalid Authentication Configuration', rule));
  }
  if (region === '') wrong.push(error('Missing Region', 'Region must be set'));
  if (wrong.length > 0) return wrong;
  return { region, accessKey, endpoint };
}

/**
 * The address of the emulated cloud.
 *
 * @throws Error when there is none, or when it is not plain HTTP on loopback: this provider must never
 * reach a real cloud
 */
function loopbackUrl(endpoint: string): URL {
  if (endpoint === '') {
    throw new Error(
      '`VOLCENGINE_CC_ENDPOINT` must name the emulated cloud, got: nothing. Run this through `secure-connectivity sandbox`.',
    );
  }
  const url = URL.parse(endpoint.includes('://') ? endpoint : `http://${endpoint}`);
  if (url?.protocol !== 'http:' || !LOOPBACK_HOST.test(url.hostname)) {
    throw new Error(
      `\`VOLCENGINE_CC_ENDPOINT\` must be plain HTTP on loopback for the sandbox's provider, got: "${endpoint}". Use the genuine provider for a real cloud.`,
    );
  }
  return url;
}

/** The beginning of an error that is the sandbox's own. */
export const SILENT_CLOUD = /The emulated cloud at \S+ does not answer: /;

type Answer = ReturnType<typeof readResult>;

const POLL_MS = 20;
const RETRY_AFTER_MS = [100, 300, 1000];

/** Calls the Cloud Control API of the sandbox and waits for its tasks. */
export class CloudControlClient {
  constructor(
    private readonly settings: CloudSettings,
    private readonly stopped: AbortSignal,
  ) {}

  async get(typeName: string, identifier: string): Promise<JsonObject> {
    const names = { TypeName: typeName, Identifier: identifier };
    const { ResourceDescription: description } = await this.call('GetResource', names);
    const text = asText(asObject(description)?.Properties);
    const properties: unknown = text === undefined ? undefined : JSON.parse(text);
    if (isJsonObject(properties)) return properties;
    throw new Error('GetResource answered without the properties of the object.');
  }

  /** Starts a task and answers what it ends with. */
  async operate(action: string, typeName: string, details: JsonObject): Promise<Answer> {
    const task = { TypeName: typeName, ClientToken: randomUUID(), ...details };
    const started = await this.call(action, task);
    let event = started;
    while (event.OperationStatus === 'IN_PROGRESS' || event.OperationStatus === 'PENDING') {
      try {
        await wait(POLL_MS, undefined, { signal: this.stopped });
        event = await this.call('GetTask', { TaskID: started.TaskID });
      } catch (error) {
        const reason = this.stopped.aborted ? 'Terraform was interrupted.' : errorText(error);
        throw new Error(`The task's end was not seen: ${reason}`);
      }
    }
    if (event.OperationStatus === 'SUCCESS') return event;
    const code = asText(event.ErrorCode) ?? `OperationStatus ${event.OperationStatus}`;
    const message = asText(event.StatusMessage) ?? 'no message';
    throw new Error(`${code}: ${message} (task ${asText(started.TaskID) ?? 'none'})`);
  }

  /** By the token of a write the cloud knows one whose answer was lost: it may be sent again. */
  private call(action: string, details: Answer): Promise<Answer> {
    const { endpoint, region, accessKey } = this.settings;
    const place = { endpoint: loopbackUrl(endpoint), region };
    // The emulated cloud knows its caller by the access key, and checks no signature.
    const keys = { accessKey, secretKey: new Secret('') };
    return makeCall(place, keys, post)(action, details, RETRY_AFTER_MS);
  }
}

const post: Transport = async ({ url, headers, body }) => {
  try {
    return await httpPost(url, headers, body);
  } catch (error) {
    throw new Error(`The emulated cloud at ${url.host} does not answer: ${errorText(error)}`);
  }
};
