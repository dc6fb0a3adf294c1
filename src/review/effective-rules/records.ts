import { text } from '../read/json-values.js';
import type { ResourceIndex } from './effective-flow.js';
import { type Fact, toValues } from './fact.js';

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
