import type { Step } from '../../src/rehearse/timeline/recorder.js';

/** A step for people: `delete VPC::Subnet subnet-1a2b`. */
export function describeStep({ operation, typeName, identifier, error }: Step): string {
  const type = typeName.replace(/^Volcengine::/, '');
  const name = identifier === undefined ? '' : ` ${identifier}`;
  const refusal = error === undefined ? '' : ` (refused: ${error.code}: ${error.message})`;
  return `${operation.toLowerCase()} ${type}${name}${refusal}`;
}
