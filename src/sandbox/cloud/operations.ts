import { isObject, type JsonObject, readText, withoutNulls } from '../json.js';
import type { Cloud } from './cloud.js';
import { CloudError } from './cloud-error.js';

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
    const input = isObject(body.TargetState) ? body.TargetState : undefined;
    if (!input) throw new CloudError('MissingParameter', '`TargetState` is required');
    return begun(
      cloud,
      cloud.startCreate(
        required(body, 'TypeName'),
        withoutNulls(input),
        readText(body, 'ClientToken'),
      ),
    );
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
    const done = task.polls === 0;
    return {
      TaskID: taskId,
      TypeName: task.typeName,
      Operation: task.operation,
      EventTime: task.eventTime,
      OperationStatus: done ? (task.error ? 'FAILED' : 'SUCCESS') : 'IN_PROGRESS',
      ...(task.identifier !== undefined && done && { Identifier: task.identifier }),
      ...(task.error && done && { ErrorCode: task.error.code, StatusMessage: task.error.message }),
    };
  },
};

function begun(cloud: Cloud, taskId: string): JsonObject {
  const task = cloud.state.tasks[taskId];
  return {
    TaskID: taskId,
    TypeName: task?.typeName ?? '',
    Operation: task?.operation ?? '',
    EventTime: task?.eventTime ?? '',
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
