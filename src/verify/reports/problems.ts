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

/** Cuts the evidence of a cause, which can be the body of an answer, or name all names of a certificate. */
export function evidenceInBrief(evidence: string, { baseUrl }: LinkResult): string {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  // The title of a link has its own name.
  const others = evidence.replace(`serverName=${host}, `, '');
  return shortened(others.replace(/\b(names=[^,]+), .*?(?=, [\w ]+=|$)/s, '$1, …'), BRIEF);
}

/** Lists the causes of a link's failure, the likeliest first, then what warns: once, whatever the number of addresses. */
export function problemsOf(link: LinkResult, isWhole: boolean): Problem[] {
  const { stages, causes } = link;
  const broken = firstFailure(stages);
  const found = causes.length > 0 || broken === undefined ? causes : [toCause(broken)];
  const shown = new Set([broken, found[0]].map((one) => one && inLine(one)));
  const warned = stages.filter(({ status }) => status === 'warned');
  const alike = groupBy(warned, ({ stage, code, cause }) => JSON.stringify([stage, code, cause]));
  return [
    ...found.flatMap((cause, i): Problem[] => {
      const { code, text, inspect, certainty } = cause;
      // A line would say no more than the row of what failed, or the cause before it.
      if (i > 0 && !isWhole && shown.has(inLine(cause))) return [];
      const given = broken?.stage === GIVEN && i === 0 ? broken.evidence.error : undefined;
      // Without a certainty the evidence is that of the stage, whose row has it already.
      const evidence =
        (certainty === undefined && !isWhole ? '' : cause.evidence) || given?.toString();
      return [
        {
          tone: i > 0 && certainty === 'consistent' ? 'skipped' : 'failed',
          ...{ code, title: titleOf(cause), at: i === 0 ? placeOf(broken, code) : undefined },
          ...{
            cause: text,
            evidence: isWhole ? evidence : evidence && evidenceInBrief(evidence, link),
          },
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

/** Writes a finding or a cause as its line has it. */
function inLine({ code = '', evidence }: Finding | Cause): string {
  return `${titleOf({ code, evidence })} (${code})`;
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
