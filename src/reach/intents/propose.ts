import type { Intent, Intents, Name } from '../../intents/intents-file.js';
import { groupBy } from '../../lists/group-by.js';
import { type PacketRule, rangeText } from '../packet-rule.js';
import { type AskedStack, readReached } from '../ways/doors.js';
import { judgeIntents } from './judge-intents.js';
import { SERVICE_VIAS } from './resolve-end.js';
import { judgedStack } from './scope.js';

/**
 * Proposes a first file from what stacks open today: who may call each thing, and nobody else. A
 * sentence that does not hold on the stacks is left out.
 */
export function proposeIntents(stacks: readonly AskedStack[]): Intents {
  const judged = stacks.map(readReached).map(judgedStack);
  const rules = judged.flatMap((stack) => stack.rules).filter(({ via }) => via !== '');
  const inward = [...groupBy(rules.filter(isInward), ({ subject }) => subject)];
  const outward = rules.some(({ direction }) => direction === 'egress');
  const all = [
    ...inward.flatMap(([subject, own]) => sentencesFor(subject, own)),
    ...(outward ? OUTWARD : []),
  ];
  const held = all.filter((intent) => {
    const [answer] = judgeIntents({ intents: [intent] }, judged);
    return answer?.verdict === 'holds';
  });
  return { intents: held };
}

function isInward({ direction, enforcedElsewhere }: PacketRule): boolean {
  return direction === 'ingress' && enforcedElsewhere === undefined;
}

const OUTWARD: readonly Intent[] = [
  {
    name: 'workloads reach the service',
    from: 'workloads',
    to: 'service',
    port: 443,
    expect: 'reachable',
  },
  {
    name: 'workloads leave for nothing else',
    from: 'workloads',
    to: { not: ['service'] },
    expect: 'closed',
  },
];

function sentencesFor(subject: string, rules: readonly PacketRule[]): Intent[] {
  const isService = rules.some(({ via }) => SERVICE_VIAS.includes(via));
  const callers: Name[] = isService ? ['service'] : [...new Set(rules.flatMap(callerOf))].sort();
  if (callers.length === 0) return [];
  const ports = [...new Set(rules.flatMap(portsOf))];
  return [
    ...ports.map(
      (port): Intent => ({
        name: `callers of ${subject} on ${port}`,
        from: callers,
        to: subject,
        port,
        expect: 'reachable',
      }),
    ),
    { name: `nobody else calls ${subject}`, from: { not: callers }, to: subject, expect: 'closed' },
  ];
}

/** Networks; a range that is none is left to whoever edits the file. */
function callerOf({ peer }: PacketRule): string[] {
  if (peer.kind !== 'addresses') return [];
  const text = rangeText(peer.family, peer.first, peer.last);
  return text.includes('–') ? [] : text.split(', ');
}

/** Single ports of tcp. */
function portsOf({ services }: PacketRule): number[] {
  return services.flatMap(({ first, last }) =>
    first === last && first > 0 && first < 65_536 ? [first] : [],
  );
}
