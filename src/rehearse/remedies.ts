import { object } from '../review/read/json-values.js';
import type { RehearsedTree } from './read-trees.js';
import type { TimelineStep } from './report-schema.js';

/** What a remedy is chosen by. */
export interface Cause {
  /** The step that cuts or opens. */
  readonly step: TimelineStep | undefined;
  readonly steps: readonly TimelineStep[];
  readonly head: RehearsedTree;
}

/** Types of which the cloud does not allow two at the same time, and why. */
const ALONE: Readonly<Record<string, string>> = {
  'Volcengine::PrivateZone::PrivateZone': 'the cloud lets no two zones of one name into a VPC',
  'Volcengine::CLB::Listener': 'a load balancer has one listener a port',
  'Volcengine::VPC::Subnet': 'two subnets cannot have the same addresses',
};

const IN_TWO_STEPS =
  'in two deploys: first add what is new beside what is there; when no client needs it any more, remove what is old';

/** One line that says how a cut can be avoided. */
export function avoidCut({ step, steps, head }: Cause, isForGood: boolean): string {
  if (step === undefined) return IN_TWO_STEPS;
  if (isForGood)
    return `move every client away before the deploy, or make the change ${IN_TWO_STEPS}`;
  if (step.operation !== 'delete' || !isReplaced(step, steps)) return moved(step);
  const alone = ALONE[step.type];
  if (alone !== undefined)
    return `change it in a window: ${alone}, so that one has to go before the other comes`;
  if (isCreatedFirst(step, head)) return IN_TWO_STEPS;
  return `give ${step.resource} the lifecycle \`create_before_destroy\`, so that the new one is there before the old one goes`;
}

/** An update cuts where something else follows it later. */
function moved({ type, resource }: TimelineStep): string {
  if (type === 'Volcengine::PrivateLink::VpcEndpoint') {
    return `in two deploys: first a zone or an address of ${resource} beside those that are there, then without the old one`;
  }
  return IN_TWO_STEPS;
}

/** One line that says how something is not open in the middle of a change. */
export function avoidOpening({ step }: Cause): string {
  if (step?.type === 'Volcengine::FWCenter::ControlPolicy') {
    return `let ${step.resource} depend on the policy that denies the rest, or give it a priority behind that one`;
  }
  if (step === undefined) return IN_TWO_STEPS;
  return `let ${step.resource} change after what narrows it (\`depends_on\`), or make the change in two deploys: first narrow, then widen`;
}

function isReplaced(step: TimelineStep, steps: readonly TimelineStep[]): boolean {
  return steps.some(
    ({ operation, resource, stack }) =>
      operation === 'create' && resource === step.resource && stack === step.stack,
  );
}

function isCreatedFirst({ stack, resource }: TimelineStep, head: RehearsedTree): boolean {
  const body = head
    .find(({ name }) => name === stack)
    ?.terraform.resources.find(({ address }) => address === resource)?.body;
  return object(body?.lifecycle).create_before_destroy === true;
}
