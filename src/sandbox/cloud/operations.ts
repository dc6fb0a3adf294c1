import { isObject, type JsonObject, readText, withoutNulls } from '../json.js';
import type { Cloud } from './cloud.js';
import { CloudError } from './cloud-error.js';
import { findTask, type Task } from './cloud-state.js';

export const VERSION = '2025-06-01';

const PAGE = 20;

/** Performs one action of the Cloud Control API and answers its `Result`. @throws CloudError */
export function perform(cloud: Cloud, action: string, body: JsonObject): JsonObject {
  const operation = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!operation) throw new CloudError('InvalidActionOrVersion', `no action "${action}"`, 404);
  return operation(cloud, body);
}

const ACTIONS: { readonly [action: string]: (cloud: Cloud, body: JsonObject) => JsonObject } = {
  CreateResource(cloud, body) {
    const { TargetState: input } = body;
    if (!isObject(input)) throw new CloudError('MissingParameter', '`TargetState` is required');
    const [type, token] = [required(body, 'TypeName'), readText(body, 'ClientToken')];
    return begun(cloud, cloud.startCreate(type, withoutNulls(input), token));
  },

  UpdateResource(cloud, body) {
    const { PatchDocument: patch } = body;
    const operations: unknown = typeof patch === 'string' ? JSON.parse(patch) : patch;
    const [type, id] = target(body);
    return begun(cloud, cloud.startUpdate(type, id, operations, readText(body, 'ClientToken')));
  },

  DeleteResource(cloud, body) {
    const [type, id] = target(body);
    return begun(cloud, cloud.startDelete(type, id, readText(body, 'ClientToken')));
  },

  GetResource(cloud, body) {
    const [type, id] = target(body);
    return { TypeName: type, ResourceDescription: description(id, cloud.get(type, id)) };
  },

  ListResources(cloud, body) {
    const type = required(body, 'TypeName');
    const all = cloud.list(type);
    const from = Number(readText(body, 'NextToken') || 0);
    const to = from + (Number(body.MaxResults) || PAGE);
    return {
      TypeName: type,
      ResourceDescriptions: all
        .slice(from, to)
        .map(({ identifier, properties }) => description(identifier, properties)),
      NextToken: to < all.length ? String(to) : '',
    };
  },

  GetTask(cloud, body) {
    const taskId = required(body, 'TaskID');
    const task = cloud.poll(taskId);
    const facts = describeTask(taskId, task);
    if (task.polls > 0) return facts;
    const { identifier, error } = task;
    return {
      ...facts,
      OperationStatus: error ? 'FAILED' : 'SUCCESS',
      ...(identifier !== undefined && { Identifier: identifier }),
      ...(error && { ErrorCode: error.code, StatusMessage: error.message }),
    };
  },
};

function begun(cloud: Cloud, taskId: string): JsonObject {
  return describeTask(taskId, findTask(cloud.state, taskId));
}

/** A task as it is described until its outcome is shown. */
function describeTask(taskId: string, { typeName, operation, eventTime }: Task): JsonObject {
  return {
    TaskID: taskId,
    TypeName: typeName,
    Operation: operation,
    EventTime: eventTime,
    OperationStatus: 'IN_PROGRESS',
  };
}

function description(identifier: string, properties: JsonObject): JsonObject {
  return { Identifier: identifier, Properties: JSON.stringify(properties) };
}

function target(body: JsonObject): [typeName: string, identifier: string] {
  return [required(body, 'TypeName'), required(body, 'Identifier')];
}

function required(body: JsonObject, name: string): string {
  const value = readText(body, name);
  if (value === '') throw new CloudError('MissingParameter', `\`${name}\` is required`);
  return value;
}
