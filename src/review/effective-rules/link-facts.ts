import { list, object, text } from '../read/json.js';
import { readConnectivity, type StatedLink } from '../read/links.js';
import type { TerraformStackJson } from '../read/terraform-json.js';
import { type Fact, factMaker, type ResourceIndex, safeguardMaker } from './reading.js';

const OUTPUT = 'output.connectivity';

/** What clients and the check are given: over which scheme, to which host, at which addresses. */
export function readLinkFacts(stack: TerraformStackJson): Fact[] {
  const links = readConnectivity(stack);
  const own = stack.resources
    .filter(({ type }) => type === 'volcenginecc_vpc_subnet')
    .map(({ body }) => text(body.cidr_block));
  return [
    safeguardMaker(OUTPUT)(
      'links that are checked',
      links.map(({ name }) => name),
      'removed',
      'nothing checks it any more',
    ),
    ...links.flatMap((link) => linkFacts(link, own)),
    ...recordFacts(stack),
  ];
}

/** Records that others enter where this tree cannot. */
function recordFacts({ outputs }: TerraformStackJson): Fact[] {
  return Object.entries(outputs)
    .filter(([name]) => name.endsWith('-records'))
    .map(([name, output]) =>
      factMaker(`output.${name}`, 'destination', true)(
        'records for others to enter',
        text(object(output).value),
        'any',
        'the name resolves to something else once they enter it',
      ),
    );
}

function linkFacts({ name, baseUrl, written }: StatedLink, ownNetworks: readonly string[]): Fact[] {
  const [, scheme = '', host = ''] = /^(\w+):\/\/(.*)$/s.exec(baseUrl) ?? [];
  const { apiHost, expectedAddresses, expectedNetworks, ...rest } = written;
  const { name: _, via: __, baseUrl: ___, zones: ____, ...more } = rest;
  const [safeguard, destination] = [
    factMaker(OUTPUT, 'safeguard'),
    factMaker(OUTPUT, 'destination'),
  ];
  const networks = list(expectedNetworks).filter((network) => !ownNetworks.includes(text(network)));
  return [
    safeguard(
      `plain HTTP of ${name}`,
      scheme === 'https' ? [] : [scheme],
      'added',
      'JWT and token travel unencrypted',
    ),
    destination(`base URL of ${name}`, host, 'any', 'clients call another host'),
    destination(`API host of ${name}`, apiHost, 'any', 'JWTs are made for another audience'),
    safeguard(
      `addresses that the check accepts for ${name}`,
      expectedAddresses,
      'added',
      'the check accepts other addresses',
    ),
    safeguard(
      `networks that the check accepts for ${name}`,
      networks,
      'added',
      'the check accepts other networks',
    ),
    safeguard(
      `other settings of ${name}`,
      Object.entries(object(more)),
      'any',
      'the check judges otherwise',
    ),
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
  return [...names].map(([name, { resource, values }]) =>
    factMaker(resource, 'destination', true)(
      `the name ${name}`,
      values,
      'any',
      'the name resolves to something else, so calls with their tokens go elsewhere',
    ),
  );
}
