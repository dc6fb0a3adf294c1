import { list, object, text } from '../read/json.js';
import { readConnectivity, type StatedLink } from '../read/links.js';
import type { TerraformStackJson } from '../read/terraform-json.js';
import { type Fact, type ResourceIndex, toValues } from './reading.js';

const OUTPUT = 'output.connectivity';

/** What clients and the check are given: over which scheme, to which host, at which addresses. */
export function readLinkFacts(stack: TerraformStackJson): Fact[] {
  const links = readConnectivity(stack);
  const own = stack.resources
    .filter(({ type }) => type === 'volcenginecc_vpc_subnet')
    .map(({ body }) => text(body.cidr_block));
  return [
    {
      kind: 'safeguard',
      resource: OUTPUT,
      what: 'links that are checked',
      values: toValues(links.map(({ name }) => name)),
      guards: 'removed',
      consequence: 'nothing checks it any more',
      isLasting: true,
    },
    ...links.flatMap((link) => linkFacts(link, own)),
    ...recordFacts(stack),
  ];
}

/** Records that others enter where this tree cannot. */
function recordFacts({ outputs }: TerraformStackJson): Fact[] {
  return Object.entries(outputs)
    .filter(([name]) => name.endsWith('-records'))
    .map(([name, output]) => ({
      kind: 'destination',
      resource: `output.${name}`,
      what: 'records for others to enter',
      values: toValues(text(object(output).value)),
      guards: 'any',
      consequence: 'the name resolves to something else once they enter it',
      isLasting: true,
    }));
}

function linkFacts({ name, baseUrl, written }: StatedLink, ownNetworks: readonly string[]): Fact[] {
  const [, scheme = '', host = ''] = /^(\w+):\/\/(.*)$/s.exec(baseUrl) ?? [];
  const { apiHost, expectedAddresses, expectedNetworks, ...rest } = written;
  const { name: _, via: __, baseUrl: ___, zones: ____, ...more } = rest;
  const fact = (
    what: string,
    value: unknown,
    guards: Fact['guards'],
    consequence: string,
    kind: Fact['kind'] = 'safeguard',
  ): Fact => ({
    kind,
    resource: OUTPUT,
    what: `${what} of ${name}`,
    values: toValues(value),
    guards,
    consequence,
  });
  const networks = list(expectedNetworks).filter((network) => !ownNetworks.includes(text(network)));
  return [
    fact(
      'plain HTTP',
      scheme === 'https' ? [] : [scheme],
      'added',
      'JWT and token travel unencrypted',
    ),
    fact('base URL', host, 'any', 'clients call another host', 'destination'),
    fact('API host', apiHost, 'any', 'JWTs are made for another audience', 'destination'),
    fact(
      'addresses that the check takes for right',
      expectedAddresses,
      'added',
      'the check accepts other addresses',
    ),
    fact(
      'networks that the check takes for right',
      networks,
      'added',
      'the check accepts other networks',
    ),
    fact('other settings', Object.entries(object(more)), 'any', 'the check judges otherwise'),
  ];
}

/** One address of an endpoint, as the zone of the API host names it. */
const ENDPOINT_ADDRESS =
  /^\$\{one\(\[for zone in (volcenginecc_privatelink_vpc_endpoint\.[\w-]+)\.zones : zone\.private_ip_address if zone\.zone_id == "[\w-]+"\]\)\}$/;

/** What names resolve to: one more address of the same endpoint is no other place. */
export function readRecords(index: ResourceIndex): Fact[] {
  const names = new Map<string, { readonly resource: string; readonly values: string[] }>();
  for (const { address, body } of index.ofType('volcenginecc_privatezone_record')) {
    const zone = text(body.zid);
    const name = `${text(body.host)} in ${zone}`;
    const owner = /(volcenginecc_privatezone_private_zone\.[\w-]+)\.zid/.exec(zone)?.[1] ?? address;
    const known = names.get(name) ?? { resource: owner, values: [] };
    const { type, value, enable, weight, weight_enabled, line } = body;
    const target = ENDPOINT_ADDRESS.exec(text(value))?.[1] ?? text(value);
    const more = [enable, weight, weight_enabled, line]
      .map((one) => text(one))
      .join(' ')
      .trim();
    known.values.push([text(type), target, more].join(' ').trim());
    names.set(name, known);
  }
  return [...names].map(([name, { resource, values }]) => ({
    kind: 'destination',
    resource,
    what: `the name ${name}`,
    values: toValues(values),
    guards: 'any',
    consequence: 'the name resolves to something else, so calls with their tokens go elsewhere',
    isLasting: true,
  }));
}
