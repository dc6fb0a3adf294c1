import { listenerSubject } from '../../access/access-rule.js';
import type { FoundCloud } from '../../reach/read/cloud-state.js';
import { text } from '../../reach/read/json.js';
import {
  NO_TERRAFORM,
  type TerraformStackJson,
  withPlainReferences,
} from '../../reach/read/terraform-json.js';
import { type Fact, ResourceIndex } from '../../reach/rules/reading.js';
import type { Reached } from '../../reach/ways/doors.js';
import { RECORD, recordName } from '../../reach/ways/resolve-name.js';
import { type ChangedFact, changedFacts, factFinding } from '../changes/stack-changes.js';
import { readEffectiveAccess } from '../effective-rules/effective-access.js';
import { without } from '../effective-rules/networks.js';
import type { Finding } from '../report-schema.js';
import { settable } from './found-stack.js';

/** Finds values of a stack's objects that decide where traffic goes or who is let in, beside packets. */
export function factDrift(cloud: FoundCloud, was: Reached): Finding[] {
  const { name, deployed, terraform, gone } = cloud;
  const own = new Set(deployed.resources.map(({ address }) => address));
  for (const { address } of gone) own.delete(address);
  const factsOf = (stack: TerraformStackJson) => {
    const kept = stack.resources.filter(({ address }) => own.has(address));
    const resources = kept.map((one) => ({ ...one, body: settable(one) }));
    const index = new ResourceIndex(stack.resources);
    const { facts } = readEffectiveAccess({ ...NO_TERRAFORM, resources });
    return facts.map((fact) => underItsName(fact, index));
  };
  return changedFacts(factsOf(deployed), factsOf(terraform))
    .filter(({ decision }) => decision === 'needs-approval')
    .map((one) => ({
      ...factFinding(name, one),
      kind: 'drift',
      what: `since the last deploy ${ownerOf(one.fact.resource, cloud, was)}: ${changeText(one)}`,
    }));
}

/** The records of a name are one fact, whichever of them come and go. */
function underItsName(fact: Fact, index: ResourceIndex): Fact {
  const record = index.at(fact.resource);
  if (record?.type !== RECORD) return fact;
  return { ...fact, resource: recordName(record, index), what: 'records' };
}

/** Says what was added, removed or is another: `server 10.40.1.99:8080 was added`. */
function changeText({ fact: { what }, before, after }: ChangedFact): string {
  const noun = what.replace(/s$/, '').replaceAll('_', ' ').replace(/^vpc$/, 'VPC');
  const added = without(after, before).map(valueText);
  const removed = without(before, after).map(valueText);
  const isOther = added.length === 1 && removed.length === 1;
  if (isOther) return `${noun} is ${added.join()}, was ${removed.join()}`;
  return [
    ...added.map((one) => `${noun} ${one} was added`),
    ...removed.map((one) => `${noun} ${one} was removed`),
  ].join('; ');
}

/** The part of a value that people know it by: of a network its identifier, of a record type and value. */
const KNOWN = /"vpc_id":"([^"]*)"|^ip (.*)|^(\w+ \S+) true \d/;

function valueText(value: string): string {
  const known = KNOWN.exec(value)?.slice(1).find(Boolean) ?? value;
  return withPlainReferences(known.replace(/ false \d.*/, ' (disabled)'));
}

/** Names a thing as its users do: by the subject of its rules, or of the listener before it; a zone by its domain. */
export function ownerOf(resource: string, { access, deployed }: FoundCloud, was: Reached): string {
  const door = was.doors.find(({ backend }) => backend?.group === resource);
  const { subject } = door ?? was.ways.find(({ names }) => names.includes(resource)) ?? {};
  const behind = access?.rules.find((rule) => listenerSubject(rule.subject) === subject);
  const zone = deployed.resources.find(({ address }) => address === resource)?.body.zone_name;
  return behind?.subject ?? subject ?? (text(zone) || resource);
}
