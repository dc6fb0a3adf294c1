import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../json.js';
import { CloudError } from './cloud-error.js';

type Container = Json[] | JsonObject;

/**
 * Applies a JSON Patch (RFC 6902) and answers a new document.
 *
 * @throws CloudError `InvalidPatchDocument`; then no operation has had an effect
 */
export function applyPatch(document: JsonObject, patch: unknown): JsonObject {
  if (!Array.isArray(patch)) throw invalid('must be an array of operations');
  const root: JsonObject = { '': structuredClone(document) };
  for (const operation of patch) applyOperation(root, operation);
  const result = root[''];
  if (!isObject(result)) throw invalid('must leave an object');
  return result;
}

/** The parts of a JSON Pointer (RFC 6901). */
function parsePointer(pointer: unknown): string[] {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) {
    throw invalid(`has a path that is no JSON pointer, got: ${JSON.stringify(pointer)}`);
  }
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const OPERATIONS: { readonly [op: string]: (root: JsonObject, operation: JsonObject) => void } = {
  add: (root, { path, value }) => add(root, path, given(value)),
  remove: (root, { path }) => {
    remove(root, path);
  },
  replace: (root, { path, value }) => {
    remove(root, path);
    add(root, path, given(value));
  },
  move: (root, { path, from }) => add(root, path, remove(root, from)),
  copy: (root, { path, from }) => add(root, path, structuredClone(read(root, from))),
  test: (root, { path, value }) => {
    if (!isDeepStrictEqual(read(root, path), given(value))) {
      throw invalid(`has a test that does not hold at ${String(path)}`);
    }
  },
};

function applyOperation(root: JsonObject, operation: unknown): void {
  if (!isObject(operation)) throw invalid('must hold objects only');
  const op = String(operation.op);
  const apply = Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op] : undefined;
  if (!apply) throw invalid(`has an unknown operation, got: ${JSON.stringify(operation.op)}`);
  apply(root, operation);
}

function add(root: JsonObject, path: unknown, value: Json): void {
  const [container, key] = locate(root, path);
  if (Array.isArray(container)) {
    const index = key === '-' ? container.length : indexOf(key, container.length, path);
    container.splice(index, 0, value);
  } else if (key === '__proto__') {
    throw missing(path);
  } else {
    container[key] = value;
  }
}

function remove(root: JsonObject, path: unknown): Json {
  const value = read(root, path);
  const [container, key] = locate(root, path);
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else delete container[key];
  return value;
}

function read(root: JsonObject, path: unknown): Json {
  const [container, key] = locate(root, path);
  return member(container, key, path);
}

/** The container of what a pointer points at, and its key there. */
function locate(root: JsonObject, path: unknown): [Container, string] {
  const parts = ['', ...parsePointer(path)];
  let container: Container = root;
  for (const part of parts.slice(0, -1)) {
    const next: Json = member(container, part, path);
    if (!Array.isArray(next) && !isObject(next)) throw missing(path);
    container = next;
  }
  return [container, parts.at(-1) ?? ''];
}

function member(container: Container, key: string, path: unknown): Json {
  const value = Array.isArray(container)
    ? container[indexOf(key, container.length - 1, path)]
    : Object.hasOwn(container, key)
      ? container[key]
      : undefined;
  if (value === undefined) throw missing(path);
  return value;
}

function indexOf(key: string, last: number, path: unknown): number {
  if (!/^(0|[1-9]\d*)$/.test(key) || Number(key) > last) throw missing(path);
  return Number(key);
}

function given(value: Json | undefined): Json {
  if (value === undefined) throw invalid('has an operation without its `value`');
  return value;
}

function missing(path: unknown): CloudError {
  return invalid(`points at nothing, got: ${JSON.stringify(path)}`);
}

function invalid(rule: string): CloudError {
  return new CloudError('InvalidPatchDocument', `\`PatchDocument\` ${rule}`);
}
