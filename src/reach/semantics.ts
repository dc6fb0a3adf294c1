import { LINK_NETWORK } from '../net/cidr.js';

/** A question about how the cloud decides, with the answer that this package works with. */
export interface SemanticsRow {
  readonly question: string;
  readonly answer: string;
  /** `assumed` where no documentation says it and nobody is known to have seen it. */
  readonly status: 'documented' | 'assumed';
  /** The source of the answer; for an assumed one, the reason for the doubt. */
  readonly source: string;
}

/** A question that two answers are possible to: with `open` more passes than with `closed`. */
export interface AssumedRow extends SemanticsRow {
  readonly status: 'assumed';
  readonly open: string;
  readonly closed: string;
}

const GROUPS = 'documentation of security groups: rules, priorities and defaults';
const FIREWALL = 'documentation of Cloud Firewall: order of access control policies';

/** Answers from the documentation of the cloud. */
export const DOCUMENTED = {
  'group-priority': {
    question: 'Which rule of a security group decides?',
    answer: 'the one with the lowest number, of all groups of the interface together',
    status: 'documented',
    source: GROUPS,
  },
  'group-tie': {
    question: 'What decides where rules of equal priority accept and drop?',
    answer: 'drop',
    status: 'documented',
    source: GROUPS,
  },
  'group-several-peers': {
    question: 'Whom does a rule mean that names several peers?',
    answer: 'the CIDR; without one the group; else the prefix list',
    status: 'documented',
    source: 'documentation of the rules: with several peers one wins without a message',
  },
  'group-inward': {
    question: 'What happens to packets to a group that no rule decides?',
    answer: 'dropped',
    status: 'documented',
    source: GROUPS,
  },
  'group-new': {
    question: 'What does a new group have of its own?',
    answer:
      'everything outward in both families, and everything inward from its own members, in each direction for which its creator gave no rules',
    status: 'documented',
    source: GROUPS,
  },
  'firewall-order': {
    question: 'Which policy of Cloud Firewall decides?',
    answer: 'the first that matches: position 1, then 2 and so on, and position 0 last',
    status: 'documented',
    source: "the provider's schema: `prio` 0 is the lowest",
  },
  'firewall-border': {
    question: 'Which packets does Cloud Firewall see?',
    answer: 'those between the cloud and the internet: the other side has a public address',
    status: 'documented',
    source: FIREWALL,
  },
  'firewall-undecided': {
    question: 'What happens to packets that no policy of Cloud Firewall decides?',
    answer: 'they pass: an accept alone restricts nothing',
    status: 'documented',
    source: FIREWALL,
  },
  'acl-kinds': {
    question: 'What do the kinds of access lists of a listener mean?',
    answer: '`white` admits the listed addresses alone, `black` all others',
    status: 'documented',
    source: 'documentation of load balancers: access control of listeners',
  },
  'link-callers': {
    question: 'Where do calls over a private connection come from?',
    answer: LINK_NETWORK,
    status: 'documented',
    source: 'documentation of private links: load balancers as service resources',
  },
  'zone-recursion': {
    question: 'What does a private zone answer for names that it does not have?',
    answer:
      'without `recursion_mode` that there is no such name, for every name below the zone; with it what public DNS answers',
    status: 'documented',
    source: 'documentation of private zones: recursive resolution',
  },
} as const satisfies Readonly<Record<string, SemanticsRow>>;

/** Questions that no documentation answers; results that depend on one of them say so. */
export const ASSUMED = {
  'group-outward': {
    question: 'What happens to packets from a group that has rules outward, and none decides them?',
    answer: 'the worse one counts',
    open: 'they pass, where a rule of the group accepts anything',
    closed: 'they are dropped',
    status: 'assumed',
    source:
      'the documentation says that a new group passes all outward traffic, and not whether that ends with its first rule',
  },
  'firewall-same-position': {
    question: 'Which policy of Cloud Firewall decides where two have the same position?',
    answer: 'the worse one counts',
    open: 'the one that accepts',
    closed: 'the one that denies',
    status: 'assumed',
    source: 'the newer one is said to win, and which one is newer no file says',
  },
  'network-acl-order': {
    question: 'Which entry of a network ACL decides where several match?',
    answer: 'the worse one counts',
    open: 'the one that accepts',
    closed: 'the one that drops',
    status: 'assumed',
    source: 'the API gives the entries of a network ACL without their order',
  },
} as const satisfies Readonly<Record<string, AssumedRow>>;

export type AssumedId = keyof typeof ASSUMED;
