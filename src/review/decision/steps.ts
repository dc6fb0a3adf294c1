import { typeOf } from '../../reach/read/address.js';
import type { TerraformResource } from '../../reach/read/terraform-json.js';
import type { Disruption, ReviewReport } from '../report-schema.js';
import type { ReviewedStack, StackPair } from '../stacks/reviewed-trees.js';

/** Something that a person does, for no code can. */
type Step = ReviewReport['steps'][number];

/** Changes of one stack that mean work for people. */
interface StackChange extends Pick<StackPair, 'before' | 'after'> {
  readonly disruptions: readonly Disruption[];
  /** Options of which some subject reaches, or is reached from, other addresses. */
  readonly movedOptions: ReadonlySet<string>;
}

/**
 * The steps that remain for people, in the order in which they are to be done; from the service's
 * documentation of its connection options.
 */
export function makeSteps(
  pairs: readonly StackPair[],
  disruptions: readonly Disruption[],
  reach: ReviewReport['reach'],
): Step[] {
  const changes = pairs.map((pair): StackChange => {
    const own = <T extends { stack: string }>(all: readonly T[]) =>
      all.filter(({ stack }) => stack === pair.name);
    const movedOptions = new Set(own(reach).map(({ via }) => via));
    return { ...pair, disruptions: own(disruptions), movedOptions };
  });
  return (['before the deploy', 'after the deploy'] as const).flatMap((when) =>
    RULES[when].filter(({ applies }) => changes.some(applies)).map(({ text }) => ({ when, text })),
  );
}

const ENDPOINT = 'volcenginecc_privatelink_vpc_endpoint';
const SERVICE = 'volcenginecc_privatelink_endpoint_service';
const CONNECTION = 'volcenginecc_privatelink_vpc_endpoint_connection';

type StepRule = Pick<Step, 'text'> & { readonly applies: (change: StackChange) => boolean };

const RULES: Readonly<Record<Step['when'], readonly StepRule[]>> = {
  'before the deploy': [
    {
      text: 'Tell the owners of the clients when the connections listed here are cut, and for how long.',
      applies: ({ disruptions }) => disruptions.some(({ action }) => action !== 'changed'),
    },
    {
      text: 'Allow the replacement: set `preventDestroy` to false, and back to true after the deploy.',
      applies: ({ disruptions }) => disruptions.some(({ isRefused }) => isRefused),
    },
    {
      text: 'Make sure that the enterprise has the flagship plan of the service, which the new way needs.',
      applies: (change) =>
        startsVia(change, 'fixed-ip-egress') ||
        startsVia(change, 'fixed-ip-ingress') ||
        isFirst(change, ENDPOINT) ||
        isFirst(change, SERVICE),
    },
    {
      text: 'Ask the business manager of the service for allow-listing, with the id of the workspace that holds the plugin; check that the addresses that you receive are those of the settings. Only a cloud-side plugin created from an existing service can be called from them.',
      applies: (change) => startsVia(change, 'fixed-ip-ingress'),
    },
  ],
  'after the deploy': [
    {
      text: 'Update the firewalls that Terraform does not manage: `secure-connectivity render`.',
      applies: ({ movedOptions }) =>
        movedOptions.has('fixed-ip-egress') || movedOptions.has('fixed-ip-ingress'),
    },
    {
      text: 'Let clients call the fixed-IP base URL instead of the ordinary one; the paths stay the same.',
      applies: (change) => startsVia(change, 'fixed-ip-egress'),
    },
    {
      text: 'Let clients call the endpoint: its base URL is in the stack’s output whose name ends in `-base-url`.',
      applies: (change) => makes(change, ENDPOINT),
    },
    {
      text: "In the service's console, under organization management, private network management, add a private connection with the id of the new endpoint service.",
      applies: (change) => makes(change, SERVICE),
    },
    {
      text: "Put the endpoint id of the pending connection that the service's account owns into `acceptedEndpointIds`, and deploy again: that accepts it.",
      applies: (change) => makes(change, SERVICE),
    },
    {
      text: 'When the private connection is shown as connected, choose it when creating the plugin.',
      applies: (change) => makes(change, CONNECTION) || makes(change, SERVICE),
    },
    {
      text: 'In the resource library, open the configuration of the plugin and turn on fixed-IP calling.',
      applies: (change) => startsVia(change, 'fixed-ip-ingress'),
    },
    {
      text: 'Tell the owners of the plugins that used a removed connection: calls fail until they use another.',
      applies: ({ disruptions }) =>
        disruptions.some(
          ({ resource, action }) => action === 'removed' && typeOf(resource) === CONNECTION,
        ),
    },
  ],
};

/** Tells whether the stack has rules of a connection option that it had none of. */
function startsVia({ before, after }: StackChange, via: string): boolean {
  const has = (stack: ReviewedStack | undefined) =>
    stack?.rules.some((rule) => rule.via === via) === true;
  return has(after) && !has(before);
}

/** Tells whether the stack has resources of a type, and had none. */
function isFirst({ before, after }: StackChange, type: string): boolean {
  return (
    isOurs(after) &&
    findResources(after, type).length > 0 &&
    findResources(before, type).length === 0
  );
}

/** Tells whether the deploy makes a resource of a type, a replacement included. */
function makes({ before, after, disruptions }: StackChange, type: string): boolean {
  if (!isOurs(after)) return false;
  const had = new Set(findResources(before, type).map(({ address }) => address));
  const moved = new Set(after?.terraform.movedTo.values());
  return (
    findResources(after, type).some(({ address }) => !had.has(address) && !moved.has(address)) ||
    disruptions.some(({ action, resource }) => action === 'replaced' && typeOf(resource) === type)
  );
}

/** Tells whether a stack is one of a tree: what a plan alone makes is not known to be for the service. */
function isOurs(stack: ReviewedStack | undefined): boolean {
  return stack?.isFound !== true;
}

function findResources(
  stack: ReviewedStack | undefined,
  type: string,
): readonly TerraformResource[] {
  return stack?.terraform.resources.filter((resource) => resource.type === type) ?? [];
}
