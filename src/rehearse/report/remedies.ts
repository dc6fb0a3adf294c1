import { object } from '../../reach/read/json.js';
import type { RehearsedTree } from '../read-trees.js';
import type { TimelineStep } from '../report-schema.js';

/** The facts that a remedy is chosen by. */
interface Cause {
  /** The step that cuts or opens. */
  readonly step: TimelineStep | undefined;
  readonly steps: readonly TimelineStep[];
  readonly head: RehearsedTree;
}

/** Access that is cut. */
export interface Lost {
  readonly kind: 'link' | 'plugin';
  readonly isForGood: boolean;
  /** The place of the service after the deploy: unchanged, elsewhere, or gone. */
  readonly after: 'same' | 'another' | 'gone';
  /** True if its name no longer leads there. */
  readonly isOfName?: boolean;
  /** A link of the same stack that is open throughout the deploy. */
  readonly open?: { readonly name: string; readonly baseUrl?: string } | undefined;
}

/** Ways to replace something without a cut, with a second one beside it. */
export const BESIDE = {
  link: 'in two deploys: first add a second endpoint with the change, without its own private zone; once every client calls its base URL, remove this one',
  plugin:
    "in two deploys: first add a second private plugin with the change, and a private connection in the service's console; once the plugin is called over it, remove this one",
} as const;

export const AWAY = {
  link: 'move every client to another link before the deploy',
  plugin: 'let the plugin be called over another private connection before the deploy',
} as const;

/** Types of which the cloud does not allow two at the same time, and why. */
const ALONE: Readonly<Record<string, string>> = {
  'Volcengine::PrivateZone::PrivateZone': 'a VPC cannot have two private zones with the same name',
  'Volcengine::CLB::Listener': 'a load balancer has only one listener per port',
  'Volcengine::VPC::Subnet': 'two subnets cannot have the same addresses',
};

/** Resources that come and go with another one. */
const PART_OF: Readonly<Record<string, string>> = {
  'Volcengine::PrivateZone::Record': 'Volcengine::PrivateZone::PrivateZone',
};

const IN_TWO_STEPS =
  'in two deploys: first add the new beside the old; once no client needs the old any more, remove it';

/** One line that says how a cut can be avoided. */
export function avoidCut(cause: Cause, lost?: Lost): string {
  if (lost?.isForGood === true) {
    if (lost.after === 'same')
      return `move these clients away before the deploy, or keep the ${lost.isOfName === true ? 'name where it leads' : 'rule that allows them'}`;
    return lost.after === 'another' ? BESIDE[lost.kind] : AWAY[lost.kind];
  }
  const avoided = avoidInterruption(cause, lost);
  if (lost?.open === undefined) return avoided;
  const { name, baseUrl } = lost.open;
  return `let clients call ${name} (${baseUrl}), which is open throughout; or ${avoided}`;
}

function avoidInterruption({ step, steps, head }: Cause, lost: Lost | undefined): string {
  const beside = lost === undefined ? IN_TWO_STEPS : BESIDE[lost.kind];
  if (step === undefined) return beside;
  if (step.operation === 'update' && step.type === 'Volcengine::PrivateLink::VpcEndpoint') {
    return `in two deploys: first remove the zone of ${step.resource} that changes, then add it again as it should be (its own domain is gone in between); the zone that the service needs cannot be removed, so change that one in a maintenance window`;
  }
  if (step.operation !== 'delete' || !isReplaced(step, steps)) return beside;
  const alone = reasonAlone(step, steps);
  if (alone !== undefined) {
    return `change it in a maintenance window: ${alone}, so the old one must go before the new one comes; or ${beside}`;
  }
  const { create_before_destroy: isCreatedFirst } = object(findBody(step, head)?.lifecycle);
  if (isCreatedFirst === true) return beside;
  return `give ${step.resource} the lifecycle \`create_before_destroy\`, so that the new one exists before the old one is deleted`;
}

/** Explains why two cannot exist at once, if that holds for this or for what it is a part of. */
function reasonAlone({ type }: TimelineStep, steps: readonly TimelineStep[]): string | undefined {
  const whole = PART_OF[type];
  if (whole === undefined) return ALONE[type];
  const isGone = steps.some((step) => step.type === whole && step.operation === 'delete');
  return isGone ? ALONE[whole] : undefined;
}

/**
 * One line that says how something is not open in the middle of a change.
 *
 * @param end the step that closes it again
 */
export function avoidOpening({ step, head }: Cause, end?: TimelineStep): string {
  if (step?.type === 'Volcengine::FWCenter::ControlPolicy') {
    return `let ${step.resource} depend on the policy that denies the rest, or give it a priority behind that one`;
  }
  const narrow =
    'make the change in two deploys: first close what should no longer be open, then open what is new';
  // What closes it cannot come first where it uses the other.
  if (step === undefined || (end !== undefined && usesIt(end, step, head))) return narrow;
  return `let ${step.resource} change after what narrows it (\`depends_on\`), or ${narrow}`;
}

function usesIt(user: TimelineStep, used: TimelineStep, head: RehearsedTree): boolean {
  const body = findBody(user, head);
  return body !== undefined && JSON.stringify(body).includes(`${used.resource}.`);
}

function isReplaced(step: TimelineStep, steps: readonly TimelineStep[]): boolean {
  return steps.some(
    ({ operation, resource, stack }) =>
      operation === 'create' && resource === step.resource && stack === step.stack,
  );
}

function findBody({ stack, resource }: TimelineStep, head: RehearsedTree) {
  const resources = head.find(({ name }) => name === stack)?.terraform.resources;
  return resources?.find(({ address }) => address === resource)?.body;
}
