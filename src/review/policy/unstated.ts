import { list, object, text } from '../read/json.js';
import type { ReviewedStack } from '../stacks/reviewed-stack.js';

/** Where Terraform and the access rules beside it do not say the same, as sentences. */
export function unstatedAccess(stack: ReviewedStack): string[] {
  const { unstated, unopened, mixed } = stack.disagreement;
  return [
    ...unstated.map((sentence) => `Terraform opens ${sentence}, and no access rule states it`),
    ...unopened.map(
      (sentence) =>
        `an access rule states ${sentence}; Terraform does not open it, and \`enforcedElsewhere\` names nothing that does`,
    ),
    ...mixed.map(
      (resource) => `${resource} opens what the access rules state for several subjects apart`,
    ),
    ...wrongDigests(stack),
    ...wrongAddresses(stack),
  ];
}

/** Firewalls of clients are rendered from the addresses of endpoints. */
function wrongAddresses({ access, terraform: { resources } }: ReviewedStack): string[] {
  const own = new Set(
    resources
      .filter(({ type }) => type === 'volcenginecc_privatelink_vpc_endpoint')
      .flatMap(({ body }) => list(body.zones).map((zone) => object(zone).private_ip_address)),
  );
  return list(object(access).endpoints).flatMap((endpoint) =>
    list(object(endpoint).addresses)
      .filter((address) => !own.has(address))
      .map(
        (address) =>
          `access.json has the address ${text(address)} for ${text(object(endpoint).subject)}, and no endpoint of Terraform has it`,
      ),
  );
}

/** The digest of the access rules makes a check run again, and is what clients compare. */
function wrongDigests({ access, rulesDigest, terraform: { outputs } }: ReviewedStack): string[] {
  if (access === undefined) return [];
  const { digest } = access;
  const output = object(outputs['access-digest']).value;
  const links = ['connectivity', 'connections'].flatMap((name) => {
    const [, stated] = /"accessDigest":"([^"]*)"/.exec(text(object(outputs[name]).value)) ?? [];
    return stated === undefined ? [] : [[`output.${name}`, stated] as const];
  });
  return [
    ...(rulesDigest !== undefined && rulesDigest !== digest
      ? [`access.json states the digest ${digest}, and its rules have ${rulesDigest}`]
      : []),
    ...[
      ...(output === undefined ? [] : [['output.access-digest', text(output)] as const]),
      ...links,
    ]
      .filter(([, stated]) => stated !== digest)
      .map(([where, stated]) => `${where} is ${stated || 'empty'}, and access.json has ${digest}`),
  ];
}
