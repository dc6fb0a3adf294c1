import type { Change } from './changes.js';
import type { Violation } from './policy.js';
import type { Disruption, Finding } from './report-schema.js';
import { findType } from './types/index.js';

export function accessFinding(change: Change): Finding {
  const { effect, subject, peer, services, why, exception, through, addresses } = change;
  const [who, whom] = change.direction === 'ingress' ? [peer, subject] : [subject, peer];
  return {
    kind: 'access',
    decision: effect === 'widens' ? 'needs-approval' : 'narrower',
    stack: change.stack,
    resource: through === '' ? 'access.json' : through,
    who,
    what: `${whom}, ${services}`,
    identity: change.identity,
    before: change.was,
    after: change.now,
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
    ...(isLess && { consequence: 'the firewall passes whatever no policy denies' }),
  };
}

export function disruptionFinding(disruption: Disruption): Finding {
  const { stack, resource, action, because, effect, isRefused } = disruption;
  const [type = ''] = resource.split('.');
  const isCut = action !== 'changed' && findType(type)?.effects.cutsAll === true;
  return {
    kind: 'disruption',
    decision: isCut ? 'needs-approval' : 'no-change',
    stack,
    resource,
    who: '',
    what: because.join(', '),
    identity: [action, ...because],
    before: 'deployed',
    after: action,
    consequence: isRefused ? `${effect}; Terraform refuses it while preventDestroy is set` : effect,
  };
}

export function violationFinding({ code, stack, message, identity, resource }: Violation): Finding {
  return {
    kind: code === 'policy.unstated-access' ? 'disagreement' : 'policy',
    decision: 'forbidden',
    stack,
    resource: resource ?? 'access.json',
    who: '',
    what: message,
    identity,
    before: '',
    after: '',
    code,
  };
}
