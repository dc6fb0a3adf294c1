import * as z from 'zod';

export const REHEARSAL_SCHEMA = 'secure-connectivity/rehearsal@1';

/** In `seen`: a link or a plugin that works. */
export const REACHABLE = 'reachable';

/** The packets that a text is about. */
const packets = z.array(
  z.strictObject({
    who: z.string(),
    what: z.string(),
    identity: z.array(z.string()).describe('as of a row of a review, in numbers'),
    from: z.int().optional().describe('the step that does it, where later than the first of all'),
  }),
);

const effect = z.strictObject({
  kind: z.enum([
    'down',
    'up',
    'opens',
    'closes',
    'transient-opening',
    'interruption',
    'intent-broken',
    'intent-mended',
  ]),
  text: z.string(),
  packets: packets.optional(),
});

const step = z.strictObject({
  number: z.int().describe('counted from 1'),
  stack: z.string(),
  resource: z.string().describe("Terraform's address, or the cloud's identifier"),
  type: z.string().describe("the cloud's name of the resource type"),
  operation: z.enum(['create', 'update', 'delete']),
  refused: z.string().optional().describe('why the cloud has not done it'),
  text: z.string().describe('what was done: endpoint updated'),
  effects: z.array(effect),
});

const lane = z.strictObject({
  kind: z.enum(['link', 'plugin', 'intent', 'subject']),
  stack: z.string().describe('empty for intents and subjects, which several stacks can open'),
  name: z.string(),
  baseUrl: z.string().optional(),
  newBaseUrl: z.string().optional(),
  clients: z
    .array(z.string())
    .describe('of all that may use it: an address for each part that fares differently'),
  states: z
    .array(z.string())
    .describe(
      'before the first step, then after each: open, or why not; of an intent whether it holds; of a subject what differs',
    ),
  otherOrders: z
    .array(z.string())
    .optional()
    .describe('what is so at no step, and would be if Terraform took another order'),
});

const timeline = z.strictObject({ steps: z.array(step), lanes: z.array(lane) });

const finding = z.strictObject({
  kind: z.enum([
    'intent',
    'cut',
    'client-change',
    'transient-opening',
    'interruption',
    'not-shown',
    'failure',
  ]),
  stack: z.string(),
  what: z.string().describe('the intent, link, plugin or subject'),
  text: z.string(),
  from: z.int().optional().describe('the step that does it; absent where another order does'),
  until: z.int().optional().describe('the step that ends it; absent where it stays so'),
  remedy: z.string().optional(),
  packets: packets.optional().describe('absent where it is about no packets'),
  row: z.string().optional().describe('the one line for people that several findings share'),
});

const deploy = z.strictObject({
  status: z.enum(['passed', 'refused', 'failed', 'skipped']),
  errors: z.array(z.string()),
});

const check = z.strictObject({
  status: z.enum(['passed', 'failed', 'skipped']),
  links: z.array(
    z.strictObject({
      stack: z.string(),
      name: z.string(),
      seen: z.string().describe('reachable, or the code of the stage that failed'),
    }),
  ),
});

const replan = z.strictObject({
  status: z.enum(['passed', 'failed', 'skipped']).describe('failed where the plan is not empty'),
  changes: z.array(z.string()),
});

/** The report of a rehearsal, as `--format json` writes it. */
export const rehearsalSchema = z.strictObject({
  schema: z.literal(REHEARSAL_SCHEMA),
  outcome: z.enum(['clean', 'noticed', 'failed', 'no-verdict']),
  summary: z.string().describe('the first line of a report'),
  trees: z
    .strictObject({ base: z.string(), head: z.string() })
    .describe('the folders that were rehearsed'),
  startedAt: z.iso.datetime(),
  findings: z.array(finding),
  base: z.strictObject({ deploy, check }),
  head: z.strictObject({ deploy, check, replan, timeline }),
  rollback: z.strictObject({
    deploy,
    check,
    replan,
    timeline,
    findings: z.array(finding).describe('what the rollback costs; they do not decide the outcome'),
  }),
  destroy: z.strictObject({
    deploy,
    left: z.array(z.string()).describe('what is still in the cloud'),
  }),
  replaced: z.array(z.strictObject({ stack: z.string(), resource: z.string() })),
  network: z
    .string()
    .describe('none where no packet could leave this machine, else not sealed, and why'),
  notes: z.array(z.string()),
});

export type RehearsalReport = z.infer<typeof rehearsalSchema>;
export type Timeline = z.infer<typeof timeline>;
export type TimelineStep = z.infer<typeof step>;
export type TimelineLane = z.infer<typeof lane>;
export type Effect = z.infer<typeof effect>;
export type Packets = z.infer<typeof packets>;
export type RehearsalFinding = z.infer<typeof finding>;
export type DeployResult = z.infer<typeof deploy>;
export type CheckResult = z.infer<typeof check>;
export type ReplanResult = z.infer<typeof replan>;
