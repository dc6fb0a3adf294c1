import { exceptionText } from '../changes.js';
import type { Decision, Finding } from '../decision.js';
import type { ReviewedStack } from '../stacks/reviewed-stack.js';

/** What one stack's access rules say beside packets: options, enforcers, exceptions. */
export function statedChanges(
  name: string,
  before: ReviewedStack | undefined,
  after: ReviewedStack | undefined,
): Finding[] {
  return [
    ...removedOptions(name, before, after),
    ...changedEnforcement(name, before, after),
    ...changedExceptions(name, before, after),
  ];
}

function removedOptions(
  stack: string,
  before: ReviewedStack | undefined,
  after: ReviewedStack | undefined,
): Finding[] {
  const kept = new Set(after?.rules.map(({ via }) => via));
  return [...new Set(before?.rules.map(({ via }) => via))]
    .filter((via) => !kept.has(via))
    .map((via) => ({
      ...safeguard(stack, 'access.json', `option ${via}`, 'there', 'removed'),
      consequence: 'everyone who uses the option is cut off',
    }));
}

/** What is said to enforce a subject's rules where Terraform does not; an older tree does not say it. */
function changedEnforcement(
  stack: string,
  before: ReviewedStack | undefined,
  after: ReviewedStack | undefined,
): Finding[] {
  const [was, now] = [enforcersOf(before), enforcersOf(after)];
  return [...now].flatMap(([subject, enforcers]) => {
    const [old, current] = [was.get(subject), enforcers].map((all) =>
      [...(all ?? [])].sort().join(', '),
    );
    if (old === undefined || current === undefined || old === '' || old === current) return [];
    return [
      {
        ...safeguard(stack, 'access.json', `enforced elsewhere of ${subject}`, old, current),
        consequence: 'something else must enforce its rules',
      },
    ];
  });
}

function enforcersOf(stack: ReviewedStack | undefined): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  for (const { via, subject, enforcedElsewhere } of stack?.rules ?? []) {
    if (enforcedElsewhere === undefined) continue;
    const name = `${subject} (${via})`;
    all.set(name, (all.get(name) ?? new Set()).add(enforcedElsewhere));
  }
  return all;
}

/** A rule whose exception is new, or holds longer, or for another reason. */
function changedExceptions(
  stack: string,
  before: ReviewedStack | undefined,
  after: ReviewedStack | undefined,
): Finding[] {
  const known = new Map(before?.rules.map((rule) => [identityOf(rule), rule.exception]));
  return (after?.rules ?? []).flatMap((rule) => {
    const { exception, subject, resource = 'access.json' } = rule;
    const old = known.get(identityOf(rule));
    if (exception === undefined || !known.has(identityOf(rule))) return [];
    if (JSON.stringify(old) === JSON.stringify(exception)) return [];
    const isShorter =
      old !== undefined &&
      old.owner === exception.owner &&
      old.reason === exception.reason &&
      exception.expires < old.expires;
    return [
      {
        ...safeguard(
          stack,
          resource,
          `exception of ${subject}`,
          exceptionText({ exception: old }) || 'none',
          exceptionText(rule),
          isShorter ? 'narrower' : 'needs-approval',
        ),
        ...(!isShorter && { consequence: 'what is forbidden by default stays open' }),
      },
    ];
  });
}

function identityOf({ via, direction, subject, peer, services }: ReviewedStack['rules'][number]) {
  return JSON.stringify([via, direction, subject, peer, services], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

function safeguard(
  stack: string,
  resource: string,
  what: string,
  before: string,
  after: string,
  decision: Decision = 'needs-approval',
): Finding {
  return { kind: 'safeguard', decision, stack, resource, who: '', what, before, after };
}
