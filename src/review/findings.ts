import type { Change } from './changes.js';
import type { Finding } from './decision.js';
import type { Disruption } from './disruptions.js';
import type { Violation } from './policy.js';

interface Differences {
  readonly changes: readonly Change[];
  readonly disruptions: readonly Disruption[];
  readonly violations: readonly Violation[];
}

/** Everything that differs, or is forbidden, as rows of one form. */
export function toFindings({ changes, disruptions, violations }: Differences): Finding[] {
  return [
    ...violations.map(toPolicyFinding),
    ...changes.map(toAccessFinding),
    ...disruptions.map(toDisruptionFinding),
  ];
}

function toPolicyFinding({ code, stack, message }: Violation): Finding {
  const nobody = { who: '', before: '', after: '' };
  const resource = 'access.json';
  return { kind: 'policy', decision: 'forbidden', stack, resource, ...nobody, what: message, code };
}

function toAccessFinding(change: Change): Finding {
  const { effect, stack, direction, peer, subject, services, was, now, why, addresses } = change;
  const [who, whom] = direction === 'ingress' ? [peer, subject] : [subject, peer];
  return {
    kind: 'access',
    decision: effect === 'widens' ? 'needs-approval' : 'narrower',
    stack,
    resource: 'access.json',
    who,
    what: `${whom}, ${services}`,
    before: was,
    after: now,
    ...(addresses !== undefined && { addresses }),
    ...(why !== '' && { reason: why }),
  };
}

function toDisruptionFinding(disruption: Disruption): Finding {
  const { stack, resource, action, because, effect, isRefused } = disruption;
  return {
    kind: 'disruption',
    decision: 'no-change',
    stack,
    resource,
    who: '',
    what: because.join(', '),
    before: 'deployed',
    after: action,
    consequence: isRefused ? `${effect}; Terraform refuses it while preventDestroy is set` : effect,
  };
}
