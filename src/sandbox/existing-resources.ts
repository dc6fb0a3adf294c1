import { RESOURCE_ROWS } from '../cloud/table/index.js';
import type { Attributes } from '../cloud/table/row.js';
import { type ConnectivityError, usageError } from '../codes/connectivity-error.js';
import { UnboundedFile } from '../files/bounded-read.js';
import { readJsonFile } from '../files/json.js';
import type { Cloud } from './cloud/cloud.js';
import { CloudError } from './cloud/cloud-error.js';
import { isObject, type JsonObject } from './json.js';
import { toProperties } from './provider/cloud/state-conversion.js';

/**
 * Puts resources that a stack names by their ids into the sandbox's cloud, in the order of the file;
 * those that are there already stay as they are.
 *
 * @param file holds JSON: attributes as in Terraform, by resource type and id
 * @throws ConnectivityError `usage.invalid`
 */
export function addExistingResources(cloud: Cloud, file: string): void {
  for (const { row, identifier, properties } of readExisting(file)) {
    try {
      cloud.place(row.cloudType, identifier, properties);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      throw invalid(file, `${row.type}.${identifier}`, `the cloud refuses it: ${error.message}`);
    }
  }
}

const WITH_ONE_ID = RESOURCE_ROWS.filter(({ importId }) => importId.length === 1);

function readExisting(file: string) {
  return Object.entries(readObject(file)).flatMap(([type, named]) => {
    const row = WITH_ONE_ID.find((one) => one.type === type);
    if (row === undefined) {
      throw invalid(file, type, `must be one of ${WITH_ONE_ID.map((one) => one.type).join(', ')}`);
    }
    if (!isObject(named)) throw invalid(file, type, 'must hold resources by their ids');
    return Object.entries(named).map(([identifier, value]) => {
      const place = `${type}.${identifier}`;
      if (!isObject(value)) throw invalid(file, place, 'must be an object of attributes');
      checkNames(file, place, value, row.attributes);
      return { row, identifier, properties: toProperties(row.attributes, value) };
    });
  });
}

/** Types and values are the cloud's to check. */
function checkNames(file: string, place: string, value: JsonObject, attributes: Attributes): void {
  for (const [name, member] of Object.entries(value)) {
    const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (attribute === undefined || attribute.mode === 'computed') {
      throw invalid(file, `${place}.${name}`, 'is no attribute that can be set');
    }
    const members: readonly unknown[] = Array.isArray(member) ? member : [member];
    for (const one of members) {
      if (attribute.of && isObject(one)) checkNames(file, `${place}.${name}`, one, attribute.of);
    }
  }
}

function readObject(file: string): JsonObject {
  try {
    const content: unknown = readJsonFile(file);
    if (isObject(content)) return content;
  } catch (cause) {
    const { code = 'no JSON' } = cause as NodeJS.ErrnoException;
    if (cause instanceof UnboundedFile) {
      throw usageError(`\`--with\` ${cause.message}, got: "${file}"`, cause);
    }
    throw usageError(`\`--with\` must name a readable JSON file, got: "${file}" (${code})`, cause);
  }
  throw usageError(`\`--with\` must name a JSON object, got: "${file}"`);
}

function invalid(file: string, place: string, rule: string): ConnectivityError {
  return usageError(`\`--with\` ${file}: \`${place}\` ${rule}`);
}
