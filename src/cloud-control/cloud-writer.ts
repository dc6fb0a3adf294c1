import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { asText, type JsonObject } from '../files/json.js';
import { type CloudCalls, type CloudReader, cloudReader, openCalls } from './cloud-reader.js';
import type { ProviderBlock } from './provider-settings.js';
import { CloudControlError, unexpectedAnswer } from './transport.js';

/** An operation of a JSON Patch (RFC 6902), whose path counts members of a set in the cloud's order. */
export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

/** The outcome of a write. */
export interface Written {
  readonly identifier: string;
  /** The number of polls until its task was done. */
  readonly polls: number;
}

/**
 * Reads and writes what is in the cloud. A write waits for its task and is sent once; each throws the cloud's
 * refusal as a CloudControlError, whether the call or its task has it.
 */
export type CloudWriter = CloudReader & ReturnType<typeof writerOn>;

/** Writes with the credentials, the region and the proxy that a stack's provider has. */
export async function openCloudWriter(
  block: ProviderBlock,
  env: NodeJS.ProcessEnv,
): Promise<CloudWriter> {
  const calls = await openCalls(block, env);
  return { ...cloudReader(calls), ...writerOn(calls) };
}

function writerOn(calls: CloudCalls) {
  const operate = (action: string, typeName: string, details: JsonObject) =>
    runTask(calls, action, { TypeName: typeName, ClientToken: newToken(), ...details });
  return {
    create: (typeName: string, properties: JsonObject) =>
      operate('CreateResource', typeName, { TargetState: properties }),
    update: (typeName: string, identifier: string, patch: readonly PatchOperation[]) =>
      operate('UpdateResource', typeName, { Identifier: identifier, PatchDocument: patch }),
    delete: (typeName: string, identifier: string) =>
      operate('DeleteResource', typeName, { Identifier: identifier }),
  };
}

/** Makes a token of 32 signs, as the provider's are. */
function newToken(): string {
  return randomUUID().replaceAll('-', '');
}

const FIRST_POLL_MS = 250;
const LONGEST_POLL_MS = 5_000;
/** A task that takes longer, some five minutes, is not waited for. */
const MAX_POLLS = 65;

/** Starts a task and waits for its end. @throws CloudControlError also where the task fails */
async function runTask(
  { call }: CloudCalls,
  action: string,
  details: JsonObject,
): Promise<Written> {
  const started = await call(action, details, []);
  const { TaskID: taskId } = started;
  let event = started;
  let polls = 0;
  while (event.OperationStatus === 'IN_PROGRESS' || event.OperationStatus === 'PENDING') {
    if (polls === MAX_POLLS) throw taskError('Timeout', 'its task did not end', taskId);
    await wait(Math.min(FIRST_POLL_MS * 2 ** polls, LONGEST_POLL_MS));
    event = await call('GetTask', { TaskID: taskId });
    polls += 1;
  }
  if (event.OperationStatus !== 'SUCCESS') {
    const code = asText(event.ErrorCode) ?? `OperationStatus ${String(event.OperationStatus)}`;
    throw taskError(code, asText(event.StatusMessage) ?? 'no message', taskId);
  }
  const identifier = asText(event.Identifier) ?? asText(details.Identifier);
  if (identifier === undefined) throw unexpectedAnswer(`${action} ended without an identifier`);
  return { identifier, polls };
}

function taskError(code: string, reason: string, taskId: unknown): CloudControlError {
  return new CloudControlError(code, reason, 200, `of task ${asText(taskId) ?? 'none'}`);
}
