import { factsOf, isCode } from '../../codes/codes.js';
import { reasonText, titleOf } from '../../codes/stated.js';
import { shortened } from '../../files/escape.js';
import { groupBy } from '../../lists/group-by.js';
import type { Problem } from '../../report/document.js';
import { firstFailure } from '../model/findings.js';
import type { Cause, Finding, LinkResult } from '../model/verification.js';

/** The stage that judges what the user gave; its message is evidence of the cause. */
export const GIVEN = 'preflight';

/** The number of characters of evidence that tells what it is about. */
const BRIEF = 130;

/** Lists the causes of a link's failure, the likeliest first, then what warns: once, whatever the number of addresses. */
export function problemsOf({ stages, causes }: LinkResult, isWhole: boolean): Problem[] {
  const broken = firstFailure(stages);
  const found = causes.length > 0 || broken === undefined ? causes : [toCause(broken)];
  const warned = stages.filter(({ status }) => status === 'warned');
  const alike = groupBy(warned, ({ stage, code, cause }) => JSON.stringify([stage, code, cause]));
  return [
    ...found.flatMap((cause, i): Problem[] => {
      const { code, text, inspect, certainty } = cause;
      // A line of a cause says no more than the row of what failed, or the cause before it.
      if (i > 0 && !isWhole && [broken?.code, found[0]?.code].includes(code)) return [];
      const given = broken?.stage === GIVEN && i === 0 ? broken.evidence.error : undefined;
      // Without a certainty the evidence is that of the stage, whose row has it already.
      const evidence =
        (certainty === undefined && !isWhole ? '' : cause.evidence) || given?.toString();
      return [
        {
          tone: i > 0 && certainty === 'consistent' ? 'skipped' : 'failed',
          ...{ code, title: titleOf(cause), at: i === 0 ? placeOf(broken, code) : undefined },
          ...{ cause: text, evidence: isWhole ? evidence : evidence && shortened(evidence, BRIEF) },
          ...{ remedy: causeRemedy(cause), inspect },
        },
      ];
    }),
    ...[...alike.values()].map((group): Problem => {
      const [{ code = '', evidence, cause, remedy = '' }] = group;
      const addresses = group.flatMap(({ address }) => address ?? []);
      const at = addresses.length > 1 ? addresses.join(', ') : undefined;
      return { tone: 'warned', code, title: titleOf({ code, evidence }), at, cause, remedy };
    }),
  ];
}

/** Names the first failing stage, with its reason where the cause is another. */
function placeOf(broken: Finding | undefined, code: string): string | undefined {
  if (broken === undefined) return undefined;
  return broken.code === code ? broken.stage : `${broken.stage} with ${reasonText(broken)}`;
}

/** Describes a finding by itself, if nothing has looked into it. */
function toCause({ code = '', cause = '', remedy = '' }: Finding): Cause {
  return { code, text: cause, remedy, evidence: '' };
}

export function causeRemedy({ code, remedy }: Pick<Cause, 'code' | 'remedy'>): string {
  return remedy ?? (isCode(code) ? factsOf(code).remedy : '');
}
