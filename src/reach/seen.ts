/**
 * Something that people with an account saw the real cloud do. It is stronger than documentation, and
 * weaker than a measurement of one's own.
 */
interface SeenRow {
  /** The cloud's behaviour. */
  readonly answer: string;
  /** The record: whose it is, with which version of the provider, and when. */
  readonly source: string;
  /** The consequence in this package. */
  readonly here: string;
  /** The part that nobody has seen, and this package relies on. @default - nothing */
  readonly assumed?: string;
}

const NOTES =
  'the vendor’s notes for infrastructure as code (volcengine/volcengine-skills), provider 0.0.46, May and June 2026';
const MODULES =
  'the vendor’s VPC module (terraform-volcenginecc-modules/terraform-volcenginecc-vpc, docs/real-cloud-validation.md), provider 0.0.60, 2 August 2026';
const ACCEPTANCE = 'acceptance records of the provider’s developers, without version and date';

/** Behaviour of the real cloud that its documentation does not have, or has otherwise. */
export const SEEN = {
  'group-conflict': {
    answer:
      'making a security group while the subnets and route table of its new VPC are made fails at times with `InvalidOperation.Conflict`; a second apply heals',
    source: NOTES,
    here: 'groups in a VPC that the stack makes wait for its subnets, and `deploy` tries again',
    assumed: 'that this suffices: what was seen to help is to wait for the route table',
  },
  'group-default-rule': {
    answer:
      'a new group may have an outward rule of the platform (all traffic, priority 100) beside those that were written; the next plan takes it away',
    source: `${NOTES}; ${ACCEPTANCE}`,
    here: 'every field of a rule is written, without which the apply fails (`inconsistent result`); `deploy` applies once more, which takes the rule away',
    assumed: 'that this rule is of both families',
  },
  'set-order': {
    answer:
      'sets (rules, entries, tags) come back in another order than written; an update by index hit the wrong member in one build of the provider',
    source: `${NOTES}; ${ACCEPTANCE}`,
    here: 'nothing depends on the order of a set',
  },
  'slow-objects': {
    answer: 'an endpoint takes about 15 s to make, an endpoint service about 29 s',
    source: NOTES,
    here: 'nothing waits for a fixed time',
  },
  'empty-null': {
    answer: 'sets and tags that are emptied read back as none, which every later plan shows',
    source: MODULES,
    here: 'no empty set is written',
  },
  'kernel-works': {
    answer:
      'private load balancer, endpoint service, endpoint (`Connected`), private zone and record can be made; the second plan is empty, and all can be destroyed',
    source: NOTES,
    here: 'the constructs make the same',
    assumed:
      'server groups and listeners, which that account was not allowed to make, and accepted connections (`volcenginecc_privatelink_vpc_endpoint_connection`), which nobody is known to have made',
  },
  'ipv4-gateway': {
    answer: '`support_ipv_4_gateway` = true reads back false, and the next plan replaces the VPC',
    source: `${NOTES}; ${MODULES}`,
    here: 'it is not set',
  },
  'late-permission': {
    answer:
      'the permission `privatelink:CreateVpcEndpointService` is checked only after the load balancer was made',
    source: NOTES,
    here: '`ready` names it, with the other actions that make something, as not shown: no read asks for it, so a deploy without it still fails half-way',
  },
} as const satisfies Readonly<Record<string, SeenRow>>;

export type SeenId = keyof typeof SEEN;

/** The rows, as what reads each of their parts takes them. */
export const SEEN_ROWS: readonly (readonly [id: string, row: SeenRow])[] = Object.entries(SEEN);
