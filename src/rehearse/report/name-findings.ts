import type { RehearsalFinding } from '../report-schema.js';
import type { Account } from '../timeline/account.js';
import { findSpans, lossText, spanOf, stepsText } from '../timeline/cuts.js';
import { withAddresses } from '../ways/ways.js';

/** A VPC that a private zone is not bound to any more: its clients get what the internet has for the name. */
export function nameFindings({ lostNames: lost, steps, passage }: Account): RehearsalFinding[] {
  const spans = findSpans(lost, ({ name, vpc }) => JSON.stringify([name, vpc]));
  return spans.map(({ thing: { name, vpc }, from, until }) => {
    const clients = `clients in ${withAddresses(vpc, passage.addresses)}`;
    const loss =
      until === undefined
        ? ` ${stepsText(from, until)} (${lossText(passage)})`
        : `, interrupted ${stepsText(from, until)}`;
    return {
      kind: 'cut',
      ...spanOf(steps, from, until),
      what: name,
      text: `${clients} can no longer resolve ${name} to its endpoint${loss}`,
      remedy:
        'let these clients use another name before the deploy, or keep their VPC bound to the zone',
    };
  });
}
