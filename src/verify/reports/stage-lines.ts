import { isBlocked } from '../model/findings.js';
import type { Finding } from '../model/verification.js';
import { fate, type Group, gathered, MANY } from './alike.js';
import { briefSummary, milliseconds, summary } from './stage-facts.js';
import { hanging, type TextLook } from './text-layout.js';

/**
 * The stages of a link for people, one line each. Addresses that fare alike share one where they are
 * many, or where nothing is wrong with them; so do the stages that a failure kept from running.
 */
export function stageLines(stages: readonly Finding[], look: TextLook): string[] {
  if (look.isVerbose) return lines(stages, look);
  const ran = stages.filter((finding) => !isBlocked(finding));
  return [...lines(ran, look), ...notRunLine(stages, look)];
}

/** Where only some addresses were not tried, it says which. */
function notRunLine(stages: readonly Finding[], { style, width }: TextLook): string[] {
  const blocked = stages.filter(isBlocked);
  if (blocked.length === 0) return [];
  const parts = [...new Set(blocked.map(({ stage }) => stage))].map((name) => {
    const isOfStage = ({ stage }: Finding) => stage === name;
    const left = blocked.filter(isOfStage);
    if (left.length === stages.filter(isOfStage).length) return name;
    return left.length < MANY
      ? `${name} at ${left.map(({ address }) => address).join(' and ')}`
      : `${name} at ${left.length} addresses`;
  });
  const failed = stages.flatMap(({ stage, status }) => (status === 'failed' ? stage : []));
  const text = `${parts.join(', ')} (${[...new Set(failed)].join(', ')} failed)`;
  return [hanging('  not run: ', text, width, `  ${style('not run', 'skipped')}: `)];
}

function lines(stages: readonly Finding[], look: TextLook): string[] {
  const { style, width, isVerbose } = look;
  const groups = alike(stages, isVerbose);
  const times = groups.map(span);
  const timeWidth = Math.max(0, ...times.map((time) => time.length));
  const severalAddresses = new Set(stages.flatMap(({ address }) => address ?? [])).size > 1;
  const lastLogged = stages.findLast(({ logId }) => logId !== undefined);
  return groups.map(([first, ...others], i) => {
    const { status, stage, address } = first;
    const time = (times[i] ?? '').padStart(timeWidth);
    const where =
      others.length > 0
        ? `${others.length + 1} addresses  `
        : severalAddresses && address !== undefined
          ? `${address}  `
          : '';
    const isBrief = status === 'passed' && !isVerbose;
    const same = shared([first, ...others]);
    const facts = isBrief ? briefSummary(same, first === lastLogged) : summary(same);
    const rest = `  ${stage.padEnd(10)}  ${time}  `;
    const word = status.padEnd(7);
    return hanging(
      `  ${word}${rest}`,
      `${where}${facts}`,
      width,
      `  ${style(word, status)}${rest}`,
    );
  });
}

/** Those that pass share a line from two on, unless all is asked for. */
function alike(stages: readonly Finding[], isVerbose: boolean): Group<Finding>[] {
  return gathered(stages, fate, ({ status }) => (status === 'passed' && !isVerbose ? 2 : MANY));
}

/** What is the same for all of them; a single finding stays as it is. */
function shared([first, ...others]: Group<Finding>): Finding {
  if (others.length === 0) return first;
  const evidence = Object.fromEntries(
    Object.entries(first.evidence).filter(([name, value]) =>
      others.every((other) => other.evidence[name] === value),
    ),
  );
  const { logId: _, ...rest } = first;
  return { ...rest, evidence };
}

function span(group: Group<Finding>): string {
  const times = group.map(({ elapsedMs }) => elapsedMs);
  const [least, most] = [Math.min(...times), Math.max(...times)].map(milliseconds);
  return least === most ? `${most}` : `${least} – ${most}`;
}
