import { toRegion } from '../../reach/sets/region.js';
import { servicesText, subtract } from '../../reach/sets/services.js';
import { findFactChanges } from '../../review/changes/stack-changes.js';
import { readEffectiveAccess } from '../../review/effective-rules/effective-access.js';
import { findChanges } from '../../review/packet-changes.js';
import { isElsewhere, reviewedTree } from '../../review/stacks/reviewed-trees.js';
import { readStatedPorts } from '../../review/stacks/stated-ports.js';
import type { RehearsedStack, RehearsedTree } from '../read-trees.js';
import type { RehearsalFinding } from '../report-schema.js';
import { joinPeers } from '../timeline/wording.js';
import { clientChange } from './client-changes.js';
import { avoidCut } from './remedies.js';

/**
 * Returns what no resource shows, stack by stack: ports that access rules alone state, what something else than
 * Terraform no longer lets through, and outputs that people copy.
 */
export function statedChanges(base: RehearsedTree, head: RehearsedTree): RehearsalFinding[] {
  return head.flatMap((stack) => {
    const before = base.find(({ name }) => name === stack.name);
    if (before === undefined) return [];
    return [statedPortChanges, statedLosses, outputChanges].flatMap((find) => find(before, stack));
  });
}

function statedPortChanges(before: RehearsedStack, after: RehearsedStack): RehearsalFinding[] {
  const now = readStatedPorts(after);
  return [...readStatedPorts(before)].flatMap(([key, { subject, services, isCalled }]) => {
    const other = now.get(key)?.services ?? services;
    if (!isCalled || subtract(services, other).length === 0) return [];
    const text = `${subject} is called on ${servicesText(other)} instead of ${servicesText(services)}: the plugin must be called there`;
    return [clientChange(after.name, subject, text, LISTEN_ON_BOTH)];
  });
}

const LISTEN_ON_BOTH =
  'let the old port answer until the plugin is called on the new one: nothing that the trees make does';

const KEEP = avoidCut(
  { step: undefined, steps: [], head: [] },
  { kind: 'link', isForGood: true, after: 'same' },
);

/** The losses of rules that something else enforces: what is given up is as much a loss as the rule of a group. */
function statedLosses(before: RehearsedStack, after: RehearsedStack): RehearsalFinding[] {
  const openIn = (stack: RehearsedStack) => reviewedTree(new Map([[stack.name, stack]])).open;
  const sideOf = (rules: ReturnType<typeof openIn>) => ({ rules, region: toRegion(rules) });
  const was = openIn(before).filter(isElsewhere);
  // What lets it through instead carries it under the same name.
  const now = openIn(after).map(({ carrier: _, ...rule }) => rule);
  const lost = findChanges({ a: sideOf(was), b: sideOf(now) }).filter(
    ({ effect }) => effect === 'narrows',
  );
  return joinPeers(lost).map(({ change: { subject, via, peer, services } }) => {
    const by = was.find((rule) => rule.subject === subject && rule.via === via)?.enforcedElsewhere;
    const text = `${subject} gives up ${peer}, ${services}, as soon as ${by} does what the rules say`;
    return clientChange(after.name, subject, text, KEEP);
  });
}

/** Outputs that people enter elsewhere: options of the user ID header, and records of a zone that others manage. */
const COPIED = /^output\..*-(?:options|records)$/;

function outputChanges(before: RehearsedStack, after: RehearsedStack): RehearsalFinding[] {
  const [was = [], now = []] = [before, after].map(({ terraform }) =>
    readEffectiveAccess(terraform).facts.filter(({ resource }) => COPIED.test(resource)),
  );
  const changes = findFactChanges(after.name, was, now);
  // What is new nobody has copied yet.
  return changes.flatMap(({ stack, resource, before: old, after: current }) => {
    if (old === 'none') return [];
    const text = `${resource} changes from ${old} to ${current}: whoever has copied it must follow`;
    return [clientChange(stack, resource, text, 'let them follow right after the deploy')];
  });
}
