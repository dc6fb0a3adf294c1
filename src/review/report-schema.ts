import * as z from 'zod';
import { reachability } from '../reach/report-schema.js';

/** The decisions of a review, the worst first. */
export const DECISIONS = ['forbidden', 'needs-approval', 'narrower', 'no-change'] as const;

export type Decision = (typeof DECISIONS)[number];

/** The kinds of findings, in the order of a report. */
export const FINDING_KINDS = [
  /** Something that is forbidden by default. */
  'policy',
  /** The cloud, other than the last deploy left it. */
  'drift',
  /** Packets, accounts or connections that one tree lets through and the other does not. */
  'access',
  /** The destination of traffic: service, backend, the addresses of a name. */
  'destination',
  /** The control of Terraform: provider, role, region, module, provisioner, state. */
  'control',
  /** Something that protects access or availability. */
  'safeguard',
  /** Clients or calls that are cut. */
  'disruption',
  /** `access.json` and Terraform differ. */
  'disagreement',
  /** Something that this review cannot read. */
  'unread',
] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];

export const REVIEW_SCHEMA = 'secure-connectivity/review@1';

const count = z.string().regex(/^\d+$/).describe('a whole number, as text: IPv6 counts are large');
const place = { stack: z.string(), via: z.string(), direction: z.string(), subject: z.string() };

const actions = {
  import: z.int().describe('objects that exist and come under Terraform'),
  add: z.int().describe('objects that it creates'),
  change: z.int().describe('objects that it changes in place'),
  replace: z.int().describe('objects that it replaces'),
  destroy: z.int().describe('objects that it removes'),
};

const finding = z.strictObject({
  kind: z.enum(FINDING_KINDS),
  decision: z.enum(DECISIONS).describe('what this row alone would come to'),
  stack: z.string(),
  resource: z
    .string()
    .describe("through what: Terraform's address in the stack, a file, or a block: provider.null"),
  who: z.string().describe('whoever gains or loses; empty where nobody in particular does'),
  what: z.string().describe('what is affected: service-endpoint, tcp 443'),
  identity: z
    .array(z.string())
    .describe('with stack and resource what it is about, however it is worded'),
  before: z.string(),
  after: z.string(),
  packet: z.string().optional().describe('one packet of it, before and after'),
  passes: z
    .strictObject({
      before: reachability,
      after: reachability,
      isOfSome: z.literal(true).optional().describe('other packets of the row fare otherwise'),
    })
    .optional()
    .describe('whether that packet passes at the place of the row, as `reach` answers it'),
  addresses: count.optional().describe('newly or no longer reachable addresses'),
  consequence: z.string().optional().describe('what follows from it'),
  reason: z.string().optional().describe('of the access rule that states it'),
  isReasonOld: z
    .literal(true)
    .optional()
    .describe('the base gives the same reason for other access'),
  exception: z.string().optional().describe('of the access rule that states it'),
  code: z.string().optional().describe('`secure-connectivity explain CODE` says more'),
  row: z
    .string()
    .optional()
    .describe('what one setting changed: for people the findings that have it are one row'),
  planned: z
    .strictObject(actions)
    .optional()
    .describe('what a deploy does to the resources of this row, where a plan says it'),
});

/** Values before and after a change; absent if a tree has none. */
const compared = z.strictObject({
  stack: z.string(),
  base: z.string().optional(),
  head: z.string().optional(),
});

const rows = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.array(z.strictObject(shape));

/** The report of a review, as `--format json` writes it. */
export const reviewReportSchema = z.strictObject({
  schema: z.literal(REVIEW_SCHEMA),
  decision: z.enum(DECISIONS).describe('the worst of the findings'),
  summary: z.string().describe('the decision and why, in words: the first line of a report'),
  findings: z.array(finding).describe('the worst first'),
  totals: z.strictObject({
    widens: z.int(),
    narrows: z.int(),
    neutral: z.int(),
    forbidden: z.int(),
  }),
  changes: rows({
    effect: z.enum(['widens', 'narrows']),
    ...place,
    peer: z.string().describe('an address, a CIDR, a range, or a kind and a name'),
    services: z.string().describe('what was opened or closed: tcp 443'),
    was: z.string().describe('everything that was open to the peer'),
    now: z.string().describe('everything that is open to the peer'),
    addresses: count.optional(),
    why: z.string(),
    through: z.string().describe("Terraform's addresses of the resources that open or opened it"),
  }),
  reach: rows({
    ...place,
    family: z.union([z.literal(4), z.literal(6)]),
    was: count,
    now: count,
    newlyReachable: count,
    noLongerReachable: count,
  }),
  namedPeers: rows({
    effect: z.enum(['gained', 'lost']),
    kind: z.string().describe('account, endpoint, group or unknown'),
    name: z.string(),
    stack: z.string(),
    subject: z.string(),
  }),
  addressLists: rows({
    stack: z.string(),
    list: z.string(),
    source: z.string().optional(),
    versionWas: z.string().optional(),
    versionNow: z.string().optional(),
    added: z.array(z.string()),
    removed: z.array(z.string()),
  }),
  domains: rows({
    stack: z.string(),
    link: z.string(),
    was: z.string(),
    now: z.string().optional(),
  }),
  disruptions: rows({
    stack: z.string(),
    resource: z.string(),
    action: z.enum(['removed', 'replaced', 'changed']),
    because: z.array(z.string()),
    effect: z.string(),
    isRefused: z.boolean().describe('Terraform refuses it as long as the stack says so'),
  }),
  steps: rows({ when: z.enum(['before the deploy', 'after the deploy']), text: z.string() }),
  exceptions: rows({
    stack: z.string(),
    subject: z.string(),
    rule: z.string(),
    reason: z.string(),
    owner: z.string(),
    expires: z.string(),
    state: z.enum(['in force', 'expired', 'incomplete']),
    isNew: z.boolean(),
  }),
  violations: rows({
    code: z.string(),
    stack: z.string(),
    message: z.string(),
    remedy: z.string(),
    resource: z.string().optional(),
  }),
  intents: rows({
    environment: z.string(),
    name: z.string(),
    expect: z.enum(['reachable', 'closed']),
    base: z.string().describe('holds, broken, undecided, or not judged'),
    head: z.string(),
    detail: z.string().describe('the packet and the rules, where it does not hold'),
  }).optional(),
  notes: z.array(z.string()),
  tickets: z.array(compared).describe('the tag `ticket` that most resources of a stack carry'),
  digests: z.array(compared),
  treeDigest: z
    .string()
    .optional()
    .describe(
      'of the head: SHA-256 over all files that a deploy reads, for `deploy --reviewed`; absent where a note says why it cannot be deployed so',
    ),
  plans: rows({ stack: z.string(), ...actions }).describe(
    'what a deploy does, by the plans that were given',
  ),
});

export type ReviewReport = z.infer<typeof reviewReportSchema>;

/** One row of a review. */
export type Finding = z.infer<typeof finding>;

export type PlannedActions = NonNullable<Finding['planned']>;
export type Disruption = ReviewReport['disruptions'][number];

/** The worst of all; without any it is no change. */
export function worstDecision(decisions: readonly Decision[]): Decision {
  return DECISIONS.find((one) => decisions.includes(one)) ?? 'no-change';
}
