import { list, object, text } from '../read/json-values.js';
import type { TerraformResource, TerraformStackJson } from '../read/terraform-json.js';
import { fingerprintOf, type Unread } from '../read/unread.js';
import type { Arguments } from './arguments.js';
import { type Checkout, keyPairOf, LINKS, projectPath, readProvisioner } from './check-steps.js';
import { type Fact, toValues } from './fact.js';
import { readPreflight } from './preflight.js';

const VERIFY = [
  ...['verify', '--links-from-environment', '--wait', '<wait>', '--report-only'],
  ...['--format', 'json=connectivity-check.json', '--title'],
].join(' ');
const JUDGE = 'report connectivity-check.json --exit-status --title';

/** The check after the deploy; any other program that a deploy runs is unread. */
export function readCheck(
  { address, body }: TerraformResource,
  stack: TerraformStackJson,
  checkout: Checkout,
): Arguments {
  const steps = list(body.provisioner).flatMap((one) => readProvisioner(one, checkout));
  const unread = steps.flatMap((step) => step.unread);
  const isCheck = steps.every(({ command }) => command === VERIFY || command === JUDGE);
  if (steps.length === 0) return { facts: [], unread: [] };
  const preflight = unread.length === 0 ? readPreflight(address, steps, checkout) : undefined;
  if (preflight !== undefined) {
    return { facts: preflight, unread: unreadTriggers(address, object(body.triggers)) };
  }
  if (!isCheck || unread.length > 0) {
    return { facts: [], unread: [unreadProgram(address, body.provisioner, unread)] };
  }
  const links = text(object(stack.outputs.connectivity ?? stack.outputs.connections).value);
  const triggers = object(body.triggers);
  const verifies = steps.filter(({ command }) => command === VERIFY);
  const judges = steps.length - verifies.length;
  const isSame = [triggers.links, ...verifies.map(({ environment }) => environment[LINKS])].every(
    (one) => text(one) === links,
  );
  const fact = (
    what: string,
    values: unknown,
    guards: Fact['guards'],
    consequence: string,
  ): Fact => ({
    kind: 'safeguard',
    resource: address,
    what,
    values: toValues(values),
    guards,
    consequence,
    isLasting: true,
  });
  const mode =
    judges === verifies.length ? ['runs', 'fails the deploy'] : judges === 0 ? ['runs'] : [];
  return {
    facts: [
      fact('check', mode, 'removed', 'a deploy that does not work is told as done'),
      fact(
        'check at',
        triggers.deployed === undefined ? ['changes'] : ['changes', 'every deploy'],
        'removed',
        'it is checked less often',
      ),
      fact(
        'check after a change of',
        Object.keys(triggers).filter((name) => name !== 'deployed' && name !== 'keys'),
        'removed',
        'it is not checked when that changes',
      ),
      fact(
        'not waited for by the check',
        unawaited(body, stack),
        'added',
        'the check can run before it is there',
      ),
      fact(
        'key pairs',
        verifies.map(({ environment }) => keyPairOf(environment, checkout)),
        'any',
        'another key pair signs, and is proved',
      ),
      fact(
        'program of the check',
        steps.map(({ program }) => projectPath(program, checkout)),
        'any',
        'another program runs at the deploy',
      ),
      fact(
        'links of the check',
        isSame ? [] : [fingerprintOf(steps)],
        'added',
        'what is checked is not what clients are told',
      ),
    ],
    unread: unreadTriggers(address, triggers),
  };
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

const TRIGGERS = ['links', 'access', 'keys', 'deployed'];

function unreadTriggers(where: string, triggers: Readonly<Record<string, unknown>>): Unread[] {
  const deployed = triggers.deployed ?? '${timestamp()}';
  const odd = Object.entries(triggers).filter(
    ([name]) => !TRIGGERS.includes(name) || (name === 'deployed' && deployed !== '${timestamp()}'),
  );
  return odd.length === 0
    ? []
    : [
        {
          where,
          attribute: 'triggers',
          why: 'it is not known when the check runs',
          fingerprint: fingerprintOf(odd),
        },
      ];
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
