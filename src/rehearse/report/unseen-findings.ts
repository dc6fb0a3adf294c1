import { clbListener } from '../../cloud/table/clb.js';
import { groupBy } from '../../lists/group-by.js';
import { type CloudState, listResources } from '../../sandbox/cloud/cloud-state.js';
import { readText } from '../../sandbox/json.js';
import type { RehearsalFinding } from '../report-schema.js';
import type { Account } from '../timeline/account.js';
import { findSpans } from '../timeline/cuts.js';
import { stepsText } from '../timeline/wording.js';

/**
 * Finds what comes to an endpoint or group, or goes from it, though no tree says what is in it: whom that lets
 * in is not shown.
 */
export function unseenFindings({ passage, unseen }: Account): RehearsalFinding[] {
  const alike = groupBy(
    unseen,
    ({ user, used, from, until }) => `${user} ${used} ${from} ${until}`,
  );
  return [...alike.values()].map((uses): RehearsalFinding => {
    const [{ user, used, noun, from, until }] = uses;
    const isOther = uses.some(({ isPartial }) => isPartial);
    const comes = uses[0].comes ? 'has' : 'no longer has';
    const change = isOther ? `has other rules for the ${noun}` : `${comes} the ${noun}`;
    return {
      kind: 'not-shown',
      stack: passage.steps[from - 1]?.stack ?? '',
      what: user,
      text: `${user} ${change} ${used} ${stepsText(from, until)}: whom that lets in or keeps out is not shown, for no tree says what is in it`,
      from,
      ...(until !== undefined && { until }),
      remedy: `describe ${used} with \`--with FILE\`, or look up whom it lets in before the deploy`,
    };
  });
}

/** The properties of a listener by which it and its callers trust each other. */
const TRUST = [
  'CACertificateId',
  'CAEnabled',
  'CertificateId',
  'CertCenterCertificateId',
  'DomainExtensions',
  'SecurityPolicyId',
];

/**
 * Finds listeners that present or ask for other certificates than at first: whether callers accept that, packets
 * do not show.
 */
export function trustFindings({ passage }: Account): RehearsalFinding[] {
  const { before, steps, addresses } = passage;
  const first = readTrust(before);
  const changed = [before, ...steps.map(({ cloud }) => cloud)].map((cloud) =>
    [...readTrust(cloud)].filter(([id, trust]) => (first.get(id) ?? trust) !== trust),
  );
  return findSpans(changed, ([id]) => id).map(({ thing: [id], from, until }) => {
    const what = addresses.get(id) ?? id;
    return {
      kind: 'not-shown',
      stack: steps[from - 1]?.stack ?? '',
      what,
      text: `${what} has other certificates or another TLS policy ${stepsText(from, until)}: whether the service and the plugin still accept each other is not shown`,
      from,
      ...(until !== undefined && { until }),
      remedy: 'call the plugin over a second listener with these certificates before the deploy',
    };
  });
}

function readTrust(cloud: CloudState): ReadonlyMap<string, string> {
  return new Map(
    listResources(cloud, clbListener).map((one) => [
      readText(one, 'ListenerId'),
      JSON.stringify(TRUST.map((name) => one[name])),
    ]),
  );
}
