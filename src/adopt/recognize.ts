import { type Attributes, cloudName } from '../cloud/table/index.js';
import { markPlace, readDescriptionMark, readMark } from '../cloud/table/mark.js';
import type { CloudObject } from '../cloud-control/cloud-reader.js';
import { sameValue } from './compare.js';
import type { PlannedCreate } from './read-plan.js';

/** Whether a cloud's object is the one that a plan would create: yes, no, or not known from what was read. */
type Recognized = 'yes' | 'no' | 'unknown';

/**
 * By the mark where the type carries one; else by all that the type requires, which for a record is
 * zone, host, type and value.
 */
export function recognize(create: PlannedCreate, { properties }: CloudObject): Recognized {
  const { attributes } = create.row;
  switch (markPlace(create.row)) {
    case 'tags': {
      const wanted = readMark(create.values.tags);
      if (wanted.stack === undefined || wanted.address === undefined) return 'no';
      if (properties.Tags === undefined) return 'unknown';
      const { stack, address } = readMark(properties.Tags);
      return stack === wanted.stack && address === wanted.address ? 'yes' : 'no';
    }
    case 'description': {
      const wanted = readDescriptionMark(create.values.description);
      if (wanted === undefined) return 'no';
      const { Description: description } = properties;
      if (description === undefined) return 'unknown';
      return readDescriptionMark(description) === wanted ? 'yes' : 'no';
    }
    default:
      return recognizeByReferences(attributes, create.values, properties);
  }
}

/** Whether enough is known of a planned resource to recognize its object. */
export function isRecognizable({ row, values }: PlannedCreate): boolean {
  if (markPlace(row) !== undefined) return true;
  return required(row.attributes).every((name) => values[name] !== undefined);
}

/** The identifier, where it is made of what is planned: an accepted connection's. */
export function plannedIdentifier({ row, values }: PlannedCreate): string | undefined {
  const byProperty = new Map(
    Object.entries(row.attributes).map(([name, facts]) => [cloudName(name, facts), values[name]]),
  );
  const parts = row.importId.map((property) => byProperty.get(property));
  return parts.every((part) => typeof part === 'string') ? parts.join('|') : undefined;
}

function recognizeByReferences(
  attributes: Attributes,
  values: PlannedCreate['values'],
  properties: CloudObject['properties'],
): Recognized {
  const names = required(attributes);
  const actual = names.map((name) => properties[cloudName(name, attributes[name])]);
  if (names.some((name, index) => isOther(values[name], actual[index]))) return 'no';
  return actual.includes(undefined) ? 'unknown' : 'yes';
}

function isOther(planned: unknown, actual: unknown): boolean {
  return actual !== undefined && !sameValue(undefined, planned, actual);
}

function required(attributes: Attributes): string[] {
  return Object.entries(attributes)
    .filter(([, { mode }]) => mode === 'required')
    .map(([name]) => name);
}
