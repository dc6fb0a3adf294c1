import type { DecidingRule, ReachRow } from '../reach/report-schema.js';

/** A drawing of who may reach what: for each place its doors, and a line for whoever gets through, or does not. */
export interface Picture {
  readonly places: readonly Place[];
  /** Lines say what came and went since another tree. */
  readonly isCompared: boolean;
  /** Parts that are not read, as clauses: they could open anything. */
  readonly unread: readonly string[];
}

/**
 * Something that packets reach, or come from. Each has doors of its own, though one firewall stands before many: in a
 * drawing with shared doors a reader could follow a line to where no packet gets.
 */
export interface Place {
  readonly stack: string;
  readonly subject: string;
  readonly direction: 'ingress' | 'egress';
  /** The kind of thing, for people. */
  readonly role: string;
  /** Names that clients resolve to get there. */
  readonly hosts: readonly string[];
  /** In the order in which packets pass them. */
  readonly doors: readonly DoorBox[];
  readonly lines: readonly Line[];
}

export interface DoorBox {
  /** `security group`. */
  readonly word: string;
  readonly name: string;
}

export type Mark = 'kept' | 'added' | 'removed';

/** Packets that fare alike: rows of `reach` that differ in their addresses alone, or what a door stops. */
export interface Line {
  readonly mark: Mark;
  /** Now; of what was removed too. */
  readonly state: 'open' | 'doubt' | 'closed';
  /** The rows of `reach`, one for each range or name; none of what never passed. */
  readonly rows: readonly ReachRow[];
  /** All peers, one for each range or name. */
  readonly peers: readonly string[];
  /** Names them in a few words, or counts them. */
  readonly label: string;
  readonly services: string;
  /** The place of the door that stops them; absent where they pass, or may. */
  readonly stop?: number | undefined;
  /** Everything that decides on one of these packets. */
  readonly rules: readonly DecidingRule[];
  /** That packet, for people; empty of peers known by name. */
  readonly packet: string;
  readonly resource: string;
  readonly reason: string;
  readonly depends: string;
}

/** Signs beside the colours, for those who do not see colours. */
export const SIGNS = { kept: '', added: '+ ', removed: '− ' } as const satisfies Record<
  Mark,
  string
>;

const CAN = {
  kept: { open: 'can reach', doubt: 'may reach', closed: 'cannot reach' },
  added: { open: 'can now reach', doubt: 'may now reach', closed: 'still cannot reach' },
  removed: {
    open: 'can no longer reach',
    doubt: 'may no longer reach',
    closed: 'can no longer reach',
  },
} as const;

/** Says what a line shows: `10.0.0.0/8 can reach orders on tcp 443`. */
export function sentenceOf(line: Line, { subject, direction, doors }: Place): string {
  const { label, services, mark, state, stop, peers } = line;
  const door = stop === undefined ? undefined : doors[stop];
  const at = door === undefined ? '' : `: closed at ${door.word} ${door.name}`;
  if (peers.length === 0) {
    return `${direction === 'ingress' ? `nobody can reach ${subject}` : `${subject} can reach nothing`}${at}`;
  }
  const [from, to] = direction === 'ingress' ? [label, subject] : [subject, label];
  return `${from} ${CAN[mark][state]} ${to} on ${services}${at}`;
}
