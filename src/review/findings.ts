import type { Disruption } from './changes/disruptions.js';
import { findFactChanges, findUnreadChanges } from './changes/stack-changes.js';
import { statedChanges } from './changes/stated-changes.js';
import type { Change } from './changes.js';
import type { Finding } from './decision.js';
import type { Violation } from './policy/policy.js';
import type { ReviewedStack } from './stacks/reviewed-stack.js';

export function accessFinding(change: Change): Finding {
  const {
    stack,
    subject,
    direction,
    peer,
    services,
    was,
    now,
    why,
    exception,
    through,
    addresses,
  } = change;
  const [who, whom] = direction === 'ingress' ? [peer, subject] : [subject, peer];
  return {
    kind: 'access',
    decision: change.effect === 'widens' ? 'needs-approval' : 'narrower',
    stack,
    resource: through === '' ? 'access.json' : through,
    who,
    what: `${whom}, ${services}`,
    before: was,
    after: now,
    ...(addresses !== undefined && { addresses }),
    ...(why !== '' && { reason: why }),
    ...(exception !== undefined && { exception }),
  };
}

/** What a firewall no longer denies may pass; what it newly denies is closed. */
export function denialFinding(change: Change): Finding {
  const isLess = change.effect === 'narrows';
  return {
    ...accessFinding(change),
    kind: 'safeguard',
    decision: isLess ? 'needs-approval' : 'narrower',
    before: isLess ? `${change.was}: denied` : 'not denied',
    after: isLess ? 'not denied' : `${change.now}: denied`,
    ...(isLess && { consequence: 'what no policy denies passes the firewall' }),
  };
}

/** Removed or replaced, these cut every client or call that there is. */
const CUTS_ALL = new Set([
  'volcenginecc_privatelink_vpc_endpoint',
  'volcenginecc_privatelink_endpoint_service',
  'volcenginecc_clb_clb',
  'volcenginecc_clb_listener',
  'volcenginecc_vpc_vpc',
  'volcenginecc_privatezone_private_zone',
]);

export function disruptionFinding(disruption: Disruption): Finding {
  const { stack, resource, action, because, effect, isRefused } = disruption;
  const [type = ''] = resource.split('.');
  const isCut = action !== 'changed' && CUTS_ALL.has(type);
  return {
    kind: 'disruption',
    decision: isCut ? 'needs-approval' : 'no-change',
    stack,
    resource,
    who: '',
    what: because.join(', '),
    before: 'deployed',
    after: action,
    consequence: isRefused ? `${effect}; Terraform refuses it while preventDestroy is set` : effect,
  };
}

export function violationFinding({ code, stack, message, resource }: Violation): Finding {
  return {
    kind: code === 'policy.unstated-access' ? 'disagreement' : 'policy',
    decision: 'forbidden',
    stack,
    resource: resource ?? 'access.json',
    who: '',
    what: message,
    before: '',
    after: '',
    code,
  };
}

/** What one stack's values, unread parts, options and exceptions come to. */
export function stackFindings(
  name: string,
  before: ReviewedStack | undefined,
  after: ReviewedStack | undefined,
): Finding[] {
  const [was, now] = [before?.effective, after?.effective];
  return [
    ...findFactChanges(name, was?.facts ?? [], now?.facts ?? []),
    ...findUnreadChanges(name, was?.unread ?? [], now?.unread ?? []),
    ...statedChanges(name, before, after),
  ];
}
