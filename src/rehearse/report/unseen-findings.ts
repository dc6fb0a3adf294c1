import { groupBy } from '../../lists/group-by.js';
import type { RehearsalFinding } from '../report-schema.js';
import type { Account } from '../timeline/account.js';
import { stepsText } from '../timeline/cuts.js';

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
