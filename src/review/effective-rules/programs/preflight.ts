import { cidrPeer, peerName, type RulePeer } from '../../../reach/packet-rule.js';
import { list } from '../../../reach/read/json.js';
import { dependencies, type TerraformStackJson } from '../../../reach/read/terraform-json.js';
import { type Fact, makeFacts, safeguardOf } from '../../../reach/rules/reading.js';
import { combine } from '../../../reach/sets/ranges.js';
import { peerOf, type Region, toRegion } from '../../../reach/sets/region.js';
import { EVERYTHING, subtract } from '../../../reach/sets/services.js';
import { programFacts, readProvisioner, type StackContext, type Step } from './check-steps.js';

const PREFLIGHT =
  /^verify --preflight((?: [\da-f.:]+\/\d+)*)( --report-only)? --api-host (\S+) --title$/;

/** Tells whether all steps are preflights. */
export function isPreflight(steps: readonly Step[]): boolean {
  return steps.every(({ command }) => PREFLIGHT.test(command));
}

/** Returns the safeguards of a deploy's first step: it proves that the check can run. */
export function preflightFacts(
  address: string,
  steps: readonly Step[],
  { flows }: StackContext,
): Fact[] {
  const isRequired = steps.every(({ command }) => PREFLIGHT.exec(command)?.[2] === undefined);
  const networks = steps.map(readNetworks);
  const callers = flows
    .filter(({ kind, direction }) => kind === 'packets' && direction === 'ingress')
    .map(({ peer }) => peer);
  return [
    ...makeFacts(safeguardOf(address), PREFLIGHT_FACTS, {
      mode: isRequired ? ['runs', 'stops the deploy'] : ['runs'],
      place: networks.every((one) => one.length > 0) ? ['checked'] : [],
      networks: notCovered(networks.flat(), callers),
      'api-host': steps.map(({ command }) => PREFLIGHT.exec(command)?.[3] ?? ''),
    }),
    ...programFacts(address, 'preflight', steps, steps),
  ];
}

const PREFLIGHT_FACTS = {
  mode: ['preflight', 'removed', 'a deploy starts although its check cannot run'],
  place: [
    'location that the preflight requires',
    'removed',
    'a deploy also starts where nobody may call from',
  ],
  networks: [
    'networks of the preflight that may not call',
    'added',
    'a deploy starts where its check cannot run',
  ],
  'api-host': ['API host of the preflight', 'any', 'the preflight signs for another host'],
} as const;

/** Everything that waited for a preflight is made only where its check can run. */
export function readWaits({ resources }: TerraformStackJson): Fact[] {
  const preflights = resources
    .filter(({ type }) => type === 'null_resource')
    .filter(({ body }) => {
      const steps = list(body.provisioner).flatMap(readProvisioner);
      return steps.length > 0 && isPreflight(steps);
    })
    .map(({ address }) => address);
  // That a preflight went is a fact of its own, not one of each resource.
  if (preflights.length === 0) return [];
  return resources
    .filter(({ type, kind }) => kind === 'resource' && type.startsWith('volcenginecc_'))
    .flatMap(({ address, body }) => {
      const waits = dependencies(body).some((name) => preflights.includes(name));
      return makeFacts({ kind: 'safeguard', resource: address }, WAITS, {
        creation: waits ? [] : 'made at once',
      });
    });
}

const WAITS = {
  creation: [
    'creation without preflight',
    'added',
    'it is created although the check may not be able to run',
  ],
} as const;

function readNetworks({ command }: Step): RulePeer[] {
  const written = PREFLIGHT.exec(command)?.[1]?.split(' ').slice(1) ?? [];
  return written.map(cidrPeer);
}

/** Returns what is not covered, as ranges, so that networks in other words are the same. */
function notCovered(networks: readonly RulePeer[], callers: readonly RulePeer[]): string[] {
  const covered = everythingOf(callers.filter(({ kind }) => kind === 'addresses'));
  return [...everythingOf(networks)].flatMap(([key, cell]) =>
    combine(cell.ranges, covered.get(key)?.ranges ?? [], subtract).map((range) =>
      peerName(peerOf(cell, range)),
    ),
  );
}

function everythingOf(peers: readonly RulePeer[]): Region {
  return toRegion(peers.map((peer) => ({ peer, services: EVERYTHING })));
}
