import { readLinksTemplate } from '../link/link-template.js';
import { list, object, text } from '../reach/read/json.js';
import type { SynthesizedStack } from '../reach/read/read-tree.js';
import { ENDPOINT } from './interfaces.js';
import type { ReadObjects } from './read-outward.js';

/** Returns the names that a stack's clients look up: hosts of its links, and domains of its endpoints. */
export function hostsOf(
  { terraform: { outputs } }: Pick<SynthesizedStack, 'terraform'>,
  { resources }: Pick<ReadObjects, 'resources'>,
): string[] {
  const links = Object.values(outputs).flatMap(
    (output) => readLinksTemplate(object(output).value)?.links ?? [],
  );
  const hosts = links.flatMap(({ baseUrl, tlsServerName }) => {
    const url = text(baseUrl);
    return [URL.canParse(url) ? new URL(url).hostname : '', text(tlsServerName)];
  });
  const domains = Object.values(resources[ENDPOINT] ?? {}).flatMap((endpoint) => [
    endpoint.EndpointDomain,
    endpoint.PrivateDnsName,
    ...list(endpoint.Zones).map((zone) => object(zone).ZoneDomain),
  ]);
  const all = [...hosts, ...domains.map(text)].map((host) => host.toLowerCase());
  return all.filter((host) => /^[a-z0-9.-]+$/.test(host));
}
