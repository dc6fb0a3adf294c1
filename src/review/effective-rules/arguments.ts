import { list, object, text } from '../read/json.js';
import type { TerraformResource, TerraformStackJson } from '../read/terraform-json.js';
import { factMaker, type Reading, unreadValue } from './reading.js';

/** Arguments of every resource that are read here; comments decide nothing, nor does most order. */
export const ARGUMENTS = ['//', 'depends_on', 'lifecycle', 'provider'];

export function isArgument(name: string): boolean {
  return ARGUMENTS.includes(name);
}

export function readArguments(resource: TerraformResource, stack: TerraformStackJson): Reading {
  const { address, body } = resource;
  const lifecycle = object(body.lifecycle);
  const conditions = ['precondition', 'postcondition'].map((name) =>
    readConditions(resource, name, list(lifecycle[name]), stack),
  );
  const safeguard = factMaker(address, 'safeguard');
  const rest = Object.entries(lifecycle).filter(([name]) => !LIFECYCLE.has(name));
  return {
    facts: [
      factMaker(address, 'control')(
        'provider',
        body.provider,
        'any',
        'another provider, with another account or region, makes it',
      ),
      safeguard(
        'prevent_destroy',
        isOn(lifecycle.prevent_destroy) ? ['on'] : [],
        'removed',
        'a deploy may destroy it',
      ),
      safeguard(
        'ignored changes',
        lifecycle.ignore_changes,
        'any',
        'what is written becomes true, or no longer does',
      ),
      safeguard(
        'data sources waited for',
        list(body.depends_on).filter((name) => text(name).startsWith('data.')),
        'removed',
        'it no longer waits for what refuses',
      ),
      safeguard(
        'replacement triggers',
        lifecycle.replace_triggered_by,
        'added',
        'it is replaced whenever that changes',
      ),
      ...conditions.flatMap(({ facts }) => facts),
    ],
    unread: [
      ...conditions.flatMap(({ unread }) => unread),
      ...rest.map(([name, value]) =>
        unreadValue(address, `lifecycle.${name}`, 'the argument is not known', value),
      ),
    ],
  };
}

const LIFECYCLE = new Set([
  'replace_triggered_by',
  'create_before_destroy',
  'prevent_destroy',
  'ignore_changes',
  'precondition',
  'postcondition',
]);

function isOn(value: unknown): boolean {
  return value === true || value === 'true';
}

/** What a deploy refuses, each by what it compares; the values that it compares with may change. */
function readConditions(
  { address }: TerraformResource,
  name: string,
  conditions: readonly unknown[],
  stack: TerraformStackJson,
): Reading {
  const read = conditions.map((one) => text(object(one).condition));
  const refusals = read.map(
    (condition) => [condition, readRefusal(condition, address, stack)] as const,
  );
  return {
    facts: [
      factMaker(address, 'safeguard')(
        `${name}s`,
        refusals.flatMap(([, refusal]) => refusal ?? []),
        'removed',
        'a deploy no longer refuses what this condition refused',
      ),
    ],
    unread: refusals
      .filter(([, refusal]) => refusal === undefined)
      .map(([condition]) => {
        const why = 'the condition is not one of this package';
        return unreadValue(address, `lifecycle.${name}`, why, condition);
      }),
  };
}

const REMEMBERED = /^\$\{(terraform_data\.[\w-]+)\.output\.(\w+) == ("(?:[^"\\]|\\.)*")\}$/;
const OWNED = /^\$\{self\.endpoint_owner_account_id == "(\d+)"\}$/;
const NOT_HOPELESS = /^\$\{!contains\(\[("\w+"(?:, "\w+")*)\], self\.connection_status\)\}$/;
const CONNECTED = '${self.connection_status == "Connected"}';

/** What a condition of this package refuses; undefined for any other, or where it cannot refuse. */
function readRefusal(
  condition: string,
  address: string,
  stack: TerraformStackJson,
): string | undefined {
  const [, memory = '', value = '', written = ''] = REMEMBERED.exec(condition) ?? [];
  if (memory !== '') {
    const found = stack.resources.find((one) => one.address === memory);
    const remembered = object(found?.body.input)[value];
    const isOwn = !stack.resources.some(
      (other) => other.address !== address && conditionKey(other).includes(`{${memory}.`),
    );
    return isOwn && JSON.stringify(remembered) === written
      ? `another ${value} than was deployed`
      : undefined;
  }
  const [, account] = OWNED.exec(condition) ?? [];
  if (account !== undefined) return `an endpoint that is not of account ${account}`;
  const [, states] = NOT_HOPELESS.exec(condition) ?? [];
  if (states !== undefined) return `a connection that is ${states.replaceAll('"', '')}`;
  return condition === CONNECTED ? 'a connection that is not connected' : undefined;
}

/** Where a resource remembers what was deployed; what another remembers does not guard it. */
function conditionKey({ body }: TerraformResource): string {
  const { precondition, postcondition } = object(body.lifecycle);
  return JSON.stringify([precondition, postcondition]);
}
