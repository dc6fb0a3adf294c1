import { object } from './json-values.js';

const MAX_PORT = 65_535;

/** Attributes that hold one port; -1 is every port. */
const PORT_FIELDS = new Set(['port', 'port_start', 'port_end']);

/** What makes a synthesized stack unreadable, in one sentence; undefined where it can be read. */
export function findTerraformProblem(json: unknown): string | undefined {
  if (object(json) !== json || Object.keys(json).length === 0) {
    return 'must hold the JSON object of a Terraform configuration, not an empty one';
  }
  return findNumberProblem(json, '');
}

/** JSON lets a number be written that no computer holds, such as 1e400. */
function findNumberProblem(value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { port_start: first, port_end: last } = object(value);
  if (typeof first === 'number' && typeof last === 'number' && first > last) {
    return `must hold ports in order, not ${first} to ${last}; \`${path}\``;
  }
  for (const [key, inner] of Object.entries(value)) {
    const place = path === '' ? key : `${path}.${key}`;
    if (typeof inner === 'number' && !Number.isFinite(inner)) {
      return `must hold numbers that are not too large; \`${place}\``;
    }
    if (typeof inner === 'number' && PORT_FIELDS.has(key) && !isPort(inner)) {
      return `must hold ports from 0 to ${MAX_PORT}, or -1 for all, not ${inner}; \`${place}\``;
    }
    const problem = findNumberProblem(inner, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isPort(value: number): boolean {
  return Number.isInteger(value) && value >= -1 && value <= MAX_PORT;
}
