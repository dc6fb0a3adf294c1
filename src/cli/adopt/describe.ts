import { readStatus } from '../../adopt/cloud-objects.js';
import type { Difference } from '../../adopt/compare.js';
import type { LeftBehind } from '../../adopt/find-left-behind.js';
import type { Orphan } from '../../adopt/find-orphans.js';
import type { ManagedObject } from '../../adopt/read-plan.js';
import type { Verdict } from '../../adopt/verdict.js';
import type { CloudObject } from '../../cloud-control/cloud-reader.js';
import { safeText } from '../../codes/redact.js';

/** One line for an object that is adopted, or would be. */
export function describeFound({ create, objects }: LeftBehind, identifier: string): string {
  const object = objects.find((one) => one.identifier === identifier);
  const replaced = create.replaces ? ', in place of the one in the state' : '';
  return `${create.address} is ${object ? describeObject(object) : identifier}${replaced}`;
}

/** One line for an object of the state that the cloud does not have. */
export function describeGone({ address, identifier }: ManagedObject): string {
  return `${address} was ${identifier}, which the cloud has no more`;
}

export function describeGoneProblem(gone: ManagedObject): string {
  return `${describeGone(gone)}. Forget it with --forget-gone: the next deploy makes it anew, and destroy leaves it out`;
}

/** An object that the stack made once and nothing leads to any more, and what to do. */
export function describeOrphan({ cloudType, object, address, isReplaced }: Orphan): string {
  const mark = `${cloudType} ${describeObject(object)} carries the mark of this stack`;
  const made = address === undefined ? mark : `${mark} for ${address}`;
  return isReplaced
    ? `${made}, which has another object in the state. Delete it in the cloud's console`
    : `${made}, which is no resource of the stack. Delete it in the cloud's console, or where its resource has a new address, adopt it there with --id ADDRESS=${object.identifier}`;
}

export function describeProblems(verdicts: readonly Verdict[]): string[] {
  return verdicts.filter((verdict) => verdict.kind !== 'adopt').map(describeProblem);
}

/** Why an object is not adopted, and what to do. */
function describeProblem(verdict: Exclude<Verdict, { kind: 'adopt' }>): string {
  const { address } = verdict.found.create;
  switch (verdict.kind) {
    case 'several':
      return `${address}: ${verdict.objects.length} objects carry its mark: ${verdict.objects.map(describeObject).join('; ')}. Choose one with --id ${address}=ID and delete the others in the cloud's console`;
    default:
      return `${address}: ${verdict.identifier} differs from what is planned: ${verdict.differences.map(describeDifference).join('; ')}. ${differsRemedy(verdict.differences, verdict.identifier)}`;
  }
}

function differsRemedy(differences: readonly Difference[], identifier: string): string {
  return differences.some(({ replaces }) => replaces)
    ? `Terraform would replace it: delete ${identifier} in the cloud's console, or set the stack back to what was being deployed`
    : 'Adopt it with --with-differences: the next deploy changes it in place';
}

function describeDifference({ attribute, planned, actual, replaces }: Difference): string {
  const note = replaces ? ', which is fixed at its creation' : '';
  return `\`${attribute}\` ${shown(planned)} planned, got: ${shown(actual)}${note}`;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : safeText(JSON.stringify(value));
}

function describeObject(object: CloudObject): string {
  const { identifier, properties } = object;
  const facts = [
    readStatus(object),
    madeAt(properties.CreationTime ?? properties.CreatedTime ?? properties.CreateTime),
  ].filter((fact) => fact !== '');
  return facts.length === 0 ? identifier : `${identifier} (${facts.join(', ')})`;
}

function madeAt(time: unknown): string {
  return typeof time === 'string' && time !== '' ? `made ${safeText(time)}` : '';
}
