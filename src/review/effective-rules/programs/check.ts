import { asObject, parseJson } from '../../../files/json.js';
import { list, object, text } from '../../../reach/read/json.js';
import {
  dependencies,
  fingerprint,
  type TerraformResource,
  type TerraformStackJson,
  type Unread,
} from '../../../reach/read/terraform-json.js';
import {
  type Fact,
  joinReadings,
  makeFacts,
  type Reading,
  safeguardOf,
  unreadValue,
} from '../../../reach/rules/reading.js';
import {
  commonestProgram,
  LINKS,
  programFacts,
  readProvisioner,
  type StackContext,
  type Step,
} from './check-steps.js';
import { isPreflight, preflightFacts } from './preflight.js';

const VERIFY = [
  ...['verify', '--links-from-environment', '--wait', '<wait>', '--report-only'],
  ...['--format', 'json=connectivity-check.json', '--title'],
].join(' ');
const JUDGE = 'verify --from connectivity-check.json --exit-status --title';

/** The check in a module, which judges itself. */
const OF_MODULE = 'verify --links-from-environment --wait <wait> --title';
const REPORT_OF_MODULE = 'verify --links-from-environment --wait <wait> --report-only --title';

/** The programs of this package that a deploy runs; any other is unread. */
export function readPrograms(resource: TerraformResource, context: StackContext): Reading {
  const { address, body } = resource;
  const steps = list(body.provisioner).flatMap(readProvisioner);
  if (steps.length === 0) return {};
  const unread = steps.flatMap((step) => step.unread);
  const own = commonestProgram(context.stack);
  if (steps.some(({ program }) => program !== '' && program !== own)) {
    const why = 'a program runs at the deploy: it is not the one of the other checks';
    return { unread: [unreadValue(address, 'provisioner', why, body.provisioner)] };
  }
  const commands = steps.map(({ command }) => command);
  const isOfModule =
    address.startsWith('module.') &&
    commands.every((one) => one === OF_MODULE || one === REPORT_OF_MODULE);
  const isCheck = isOfModule || commands.every((one) => one === VERIFY || one === JUDGE);
  if (unread.length > 0 || !(isCheck || isPreflight(steps))) {
    const found =
      unread.length > 0 ? `it has ${unread.join(', ')}` : 'it is not the check of this package';
    const why = `a program runs at the deploy: ${found}`;
    return { unread: [unreadValue(address, 'provisioner', why, body.provisioner)] };
  }
  const program = isCheck ? 'check' : 'preflight';
  const readFacts = isOfModule ? moduleFacts : checkFacts;
  const facts = isCheck
    ? readFacts(resource, steps, context)
    : preflightFacts(address, steps, context);
  return joinReadings([
    { facts },
    readTriggers(address, object(body.triggers), { ...context, steps, program }),
  ]);
}

/** The check after the deploy. */
function checkFacts(
  { address, body }: TerraformResource,
  steps: readonly Step[],
  { stack }: StackContext,
): Fact[] {
  const triggers = object(body.triggers);
  const verifies = steps.filter(({ command }) => command === VERIFY);
  return [
    ...makeFacts(safeguardOf(address), CHECK, {
      mode: describeMode(verifies.length, steps.length - verifies.length),
      deploys: (triggers.deployed ?? null) === null ? ['changes'] : ['changes', 'every deploy'],
      unawaited: unawaited(body, stack),
      links: checksTheLinks(triggers, verifies, stack)
        ? []
        : [fingerprint([steps, triggers.links])],
    }),
    ...programFacts(address, 'check', steps, verifies),
  ];
}

/** The check in a module. */
function moduleFacts({ address, body }: TerraformResource, steps: readonly Step[]): Fact[] {
  const isRequired = steps.every(({ command }) => command === OF_MODULE);
  const own = steps.map(({ environment, ...step }) => ({
    ...step,
    environment: { ...environment, [LINKS]: withoutDigest(environment[LINKS]) },
  }));
  return makeFacts(
    safeguardOf(address),
    { mode: CHECK.mode, links: LINKS_OF_MODULE },
    {
      mode: describeMode(1, isRequired ? 1 : 0),
      links: [fingerprint([own, withoutDigest(object(body.triggers).links)])],
    },
  );
}

/** Links without the digest of the rules, which have rows of their own; what is not known yet stays as it is. */
function withoutDigest(links: unknown): unknown {
  const { rulesDigest: _, ...others } = asObject(parseJson(text(links))) ?? {};
  return Object.keys(others).length === 0 ? links : others;
}

/** No plan shows the outputs of a module, so each change of the links is a row. */
const LINKS_OF_MODULE = [
  'links of the check',
  'added',
  'no plan shows whether they are those that the module gives to clients',
] as const;

const CHECK = {
  mode: ['check', 'removed', 'a deploy that does not work is reported as successful'],
  deploys: ['check at', 'removed', 'it is checked less often'],
  unawaited: ['not waited for by the check', 'added', 'the check can run before it is there'],
  links: ['links of the check', 'added', 'what is checked is not what clients are given'],
} as const;

function describeMode(verifies: number, judges: number): string[] {
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
  const awaited = new Set(dependencies(body));
  // A stack without links has only its private plugins checked.
  const types = outputs.connectivity === undefined ? PLUGIN_TYPES : /^volcenginecc_/;
  return resources
    .filter(({ type, kind }) => kind === 'resource' && types.test(type))
    .map(({ address }) => address)
    .filter((address) => !awaited.has(address));
}

const TRIGGERS = ['links', 'access', 'keys', 'deployed'];

/**
 * The triggers that make Terraform run a program again: a trigger that stays the same whatever changes runs
 * nothing, so its value must be the one that follows from the stack.
 *
 * @param program as people call it: the check, the preflight
 */
function readTriggers(
  address: string,
  triggers: Readonly<Record<string, unknown>>,
  { stack, steps, program }: { stack: TerraformStackJson; steps: readonly Step[]; program: string },
): Reading {
  const digest = text(object(stack.outputs['rules-digest']).value);
  const ids = steps.map(({ environment }) => text(environment.SECURE_CONNECTIVITY_KEY_ID));
  const keys = [...new Set(ids)].filter((id) => id !== '').join(' ');
  const unless = (name: string, right: string) =>
    text(triggers[name]) === right ? [] : [triggers[name] ?? 'none'];
  const rows = {
    changes: [`changes that rerun the ${program}`, 'removed', 'it does not run when that changes'],
    access: [
      `${program} not rerun by access rules`,
      'added',
      'it does not run when access changes',
    ],
    keys: [`${program} not rerun by key pairs`, 'added', 'it does not run when a key pair changes'],
  } as const;
  return {
    facts: makeFacts(safeguardOf(address), rows, {
      changes: Object.keys(triggers).filter((name) => name !== 'deployed' && name !== 'keys'),
      // No plan shows which outputs of a module say its digest.
      access:
        triggers.access === undefined || address.startsWith('module.')
          ? []
          : unless('access', digest),
      keys: unless('keys', keys),
    }),
    unread: unreadTriggers(address, triggers),
  };
}

function unreadTriggers(where: string, triggers: Readonly<Record<string, unknown>>): Unread[] {
  const deployed = triggers.deployed ?? '${timestamp()}';
  const odd = Object.entries(triggers).filter(
    ([name]) => !TRIGGERS.includes(name) || (name === 'deployed' && deployed !== '${timestamp()}'),
  );
  const why = 'it is not known when it runs';
  return odd.length === 0 ? [] : [unreadValue(where, 'triggers', why, odd)];
}
