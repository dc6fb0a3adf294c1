import { type AccessModel, canonicalRules } from '../access/access-model.js';
import { type AccessRule, listenerSubject } from '../access/access-rule.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { hostCidr } from '../net/cidr.js';

/**
 * The model as firewalls of one's own need it: without the listener of a private plugin, which is part
 * of the cloud's load balancer and passes on to the backend, whose rules are here. An endpoint is an
 * address in the VPC, which no pod and no host behind a firewall is; its security group lets clients
 * in. What else is in between is on the
 * clients' side and must let them out, so each rule that lets clients in becomes one that lets them
 * out to the endpoint's addresses. Rules of an endpoint without known addresses stay as they are.
 */
export function clientSide(model: AccessModel): AccessModel {
  const listeners = listenersOf(model);
  const rules = model.rules
    .filter(({ via, subject }) => via !== 'private-plugin' || !listeners.has(subject))
    .flatMap((rule) => (isOfEndpoint(rule) ? outbound(rule, model) : [rule]));
  return { ...model, rules: canonicalRules(rules) };
}

/**
 * Refuses what {@link clientSide} could not turn round.
 *
 * @throws ConnectivityError `render.unsupported`
 */
export function requireClientSide({ rules }: AccessModel, target: string): void {
  const rule = rules.find(isOfEndpoint);
  if (rule === undefined) return;
  throw new ConnectivityError(
    'render.unsupported',
    `\`${target}\` needs the addresses of the endpoint ${rule.subject} in \`endpoints\` of the access rules, got: none; synthesize the stack again, or choose other rules with --rules via=fixed-ip`,
  );
}

function isOfEndpoint({ via, direction }: AccessRule): boolean {
  return via === 'private-network' && direction === 'ingress';
}

/** What private plugins are called through; accounts connect to the backends alone. */
function listenersOf({ rules }: AccessModel): ReadonlySet<string> {
  const backends = new Set(
    rules.filter(({ peer }) => peer.kind === 'account').map(({ subject }) => subject),
  );
  const listeners = [...backends].map(listenerSubject);
  return new Set(listeners.filter((subject) => !backends.has(subject)));
}

function outbound(rule: AccessRule, { endpoints = [] }: AccessModel): AccessRule[] {
  const addresses = endpoints
    .filter(({ subject }) => subject === rule.subject)
    .flatMap((endpoint) => endpoint.addresses);
  if (addresses.length === 0) return [rule];
  return addresses.map((address) => ({
    ...rule,
    direction: 'egress',
    peer: { kind: 'cidr', cidr: hostCidr(address).text },
  }));
}
