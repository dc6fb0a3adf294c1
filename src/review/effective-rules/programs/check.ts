import { list, object, text } from '../../read/json-values.js';
import type { TerraformResource, TerraformStackJson } from '../../read/terraform-json.js';
import { fingerprintOf, type Unread } from '../../read/unread.js';
import type { Arguments } from '../arguments.js';
import { type Fact, safeguardsOf } from '../fact.js';
import {
  keyPairOf,
  LINKS,
  projectPath,
  readProvisioner,
  type StackContext,
  type Step,
} from './check-steps.js';
import { isPreflight, preflightFacts } from './preflight.js';
import { readTriggers } from './triggers.js';

const VERIFY = [
  ...['verify', '--links-from-environment', '--wait', '<wait>', '--report-only'],
  ...['--format', 'json=connectivity-check.json', '--title'],
].join(' ');
const JUDGE = 'report connectivity-check.json --exit-status --title';

/** The programs of this package that a deploy runs; any other is unread. */
export function readPrograms(resource: TerraformResource, context: StackContext): Arguments {
  const { address, body } = resource;
  const steps = list(body.provisioner).flatMap((one) => readProvisioner(one, context.checkout));
  if (steps.length === 0) return { facts: [], unread: [] };
  const unread = steps.flatMap((step) => step.unread);
  const isCheck = steps.every(({ command }) => command === VERIFY || command === JUDGE);
  if (unread.length > 0 || !(isCheck || isPreflight(steps))) {
    return { facts: [], unread: [unreadProgram(address, body.provisioner, unread)] };
  }
  const program = isCheck ? 'check' : 'preflight';
  const triggers = readTriggers(address, object(body.triggers), { ...context, steps, program });
  const own = isCheck
    ? checkFacts(resource, steps, context)
    : preflightFacts(address, steps, context);
  return { facts: [...own, ...triggers.facts], unread: triggers.unread };
}

/** The check after the deploy. */
function checkFacts(
  { address, body }: TerraformResource,
  steps: readonly Step[],
  { stack, checkout }: StackContext,
): Fact[] {
  const triggers = object(body.triggers);
  const verifies = steps.filter(({ command }) => command === VERIFY);
  const safeguard = safeguardsOf(address);
  return [
    safeguard(
      'check',
      modeOf(verifies.length, steps.length - verifies.length),
      'removed',
      'a deploy that does not work is reported as successful',
    ),
    safeguard(
      'check at',
      triggers.deployed === undefined ? ['changes'] : ['changes', 'every deploy'],
      'removed',
      'it is checked less often',
    ),
    safeguard(
      'not waited for by the check',
      unawaited(body, stack),
      'added',
      'the check can run before it is there',
    ),
    safeguard(
      'key pairs',
      verifies.map(({ environment }) => keyPairOf(environment, checkout)),
      'any',
      'another key pair signs, and is proved',
    ),
    safeguard(
      'program of the check',
      steps.map(({ program }) => projectPath(program, checkout)),
      'any',
      'another program runs at the deploy',
    ),
    safeguard(
      'links of the check',
      checksTheLinks(triggers, verifies, stack) ? [] : [fingerprintOf(steps)],
      'added',
      'what is checked is not what clients are given',
    ),
  ];
}

function modeOf(verifies: number, judges: number): string[] {
  if (judges === verifies) return ['runs', 'fails the deploy'];
  return judges === 0 ? ['runs'] : [];
}

function checksTheLinks(
  triggers: Readonly<Record<string, unknown>>,
  verifies: readonly Step[],
  { outputs }: TerraformStackJson,
): boolean {
  const links = text(object(outputs.connectivity ?? outputs.connections).value);
  const used = [triggers.links, ...verifies.map(({ environment }) => environment[LINKS])];
  return used.every((one) => text(one) === links);
}

const PLUGIN_TYPES = /^volcenginecc_(clb|privatelink)_/;

function unawaited(
  body: TerraformResource['body'],
  { resources, outputs }: TerraformStackJson,
): string[] {
  const awaited = new Set(list(body.depends_on));
  // A stack without links has only its private plugins checked.
  const types = outputs.connectivity === undefined ? PLUGIN_TYPES : /^volcenginecc_/;
  return resources
    .filter(({ type, kind }) => kind === 'resource' && types.test(type))
    .map(({ address }) => address)
    .filter((address) => !awaited.has(address));
}

function unreadProgram(where: string, provisioner: unknown, found: readonly string[]): Unread {
  const why =
    found.length > 0 ? `it has ${found.join(', ')}` : 'it is not the check of this package';
  return {
    where,
    attribute: 'provisioner',
    why: `a program runs at the deploy: ${why}`,
    fingerprint: fingerprintOf(provisioner),
  };
}
