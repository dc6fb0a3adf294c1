import { factsOf, isCode } from '../codes/codes.js';
import { type Decision, type Finding, worstOf } from './decision.js';

const HEADLINES: Readonly<Record<Decision, string>> = {
  forbidden: 'FORBIDDEN',
  'needs-approval': 'NEEDS APPROVAL',
  narrower: 'NARROWER',
  'no-change': 'NO CHANGE',
};

/**
 * The decision and why, in words, for the first line of a report.
 *
 * @param findings the worst first
 */
export function summarize(findings: readonly Finding[]): string {
  const decision = worstOf(findings.map((finding) => finding.decision));
  const count = (of: Decision) => findings.filter((finding) => finding.decision === of).length;
  const [worst] = findings;
  const forInformation = count('no-change');
  if (worst === undefined || decision === 'no-change') {
    const more = forInformation === 0 ? '' : ` (${forInformation} for information)`;
    return `${HEADLINES['no-change']}: the same may reach the same as before${more}`;
  }
  const others = count(decision) - 1;
  const more = [
    ...(others > 0 ? [`and ${others} more`] : []),
    ...(decision === 'forbidden' && count('needs-approval') > 0
      ? [`${count('needs-approval')} need approval`]
      : []),
  ].join('; ');
  return `${HEADLINES[decision]}: ${describeFinding(worst)}${more === '' ? '' : ` (${more})`}`;
}

/** A finding as a clause. */
export function describeFinding(finding: Finding): string {
  const { kind, decision, who, what, resource, code = '' } = finding;
  switch (kind) {
    case 'access':
      return `${who} ${ACCESS[decision]} ${what} through ${nameResource(resource)}`;
    case 'policy': {
      const text = prefixed(who, what);
      return isCode(code) ? prefixed(factsOf(code).title, text) : text;
    }
    case 'disagreement':
      return `access.json and Terraform differ: ${describeChange(finding)}`;
    case 'unread':
      return `what the review cannot read has changed: ${describeChange(finding)}`;
    default:
      return describeChange(finding);
  }
}

const ACCESS: Readonly<Record<Decision, string>> = {
  forbidden: 'may newly reach',
  'needs-approval': 'may newly reach',
  narrower: 'may no longer reach',
  'no-change': 'may reach',
};

/** The consequence, where there is one, and in brackets what it follows from. */
function describeChange({ who, what, resource, before, after, consequence }: Finding): string {
  const name = nameResource(resource);
  const subject = what === '' ? name : `${what} of ${name}`;
  const detail = prefixed(who, prefixed(subject, beforeAndAfter({ before, after })));
  return consequence === undefined ? detail : `${consequence} (${detail})`;
}

/** `443 → 443–444`; empty where neither is given. */
export function beforeAndAfter({ before, after }: Pick<Finding, 'before' | 'after'>): string {
  return before === '' && after === '' ? '' : `${before || 'nothing'} → ${after || 'nothing'}`;
}

function prefixed(before: string, after: string): string {
  return [before, after].filter((part) => part !== '').join(': ');
}

/** What a reader calls a resource; the address itself where it has no common name. */
function nameResource(address: string): string {
  const [type = ''] = address.split('.');
  return NAMES.get(type) ?? address;
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['volcenginecc_vpc_security_group', 'the security group'],
  ['volcenginecc_vpc_prefix_list', 'the prefix list'],
  ['volcenginecc_vpc_vpc', 'the network'],
  ['volcenginecc_vpc_subnet', 'the subnet'],
  ['volcenginecc_fwcenter_control_policy', 'the firewall'],
  ['volcenginecc_fwcenter_address_book', 'the address book of the firewall'],
  ['volcenginecc_clb_clb', 'the load balancer'],
  ['volcenginecc_clb_listener', 'the listener of the load balancer'],
  ['volcenginecc_clb_acl', 'the access list of the load balancer'],
  ['volcenginecc_clb_server_group', 'the servers of the load balancer'],
  ['volcenginecc_privatelink_vpc_endpoint', 'the endpoint'],
  ['volcenginecc_privatelink_endpoint_service', 'the endpoint service'],
  ['volcenginecc_privatelink_vpc_endpoint_connection', 'the accepted connection'],
  ['volcenginecc_privatezone_private_zone', 'the private zone'],
  ['volcenginecc_privatezone_record', 'the name in the private zone'],
]);
