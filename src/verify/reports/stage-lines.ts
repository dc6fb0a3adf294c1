import type { Finding } from '../verification.js';
import type { TextStyle } from './text-style.js';
import { milliseconds, summary } from './told.js';

/** From so many addresses on that fare alike, a stage tells them in one line. */
const MANY = 4;

/** The stages of a link for people, one line each; addresses that fare alike share one where they are many. */
export function stageLines(stages: readonly Finding[], style: TextStyle): string[] {
  const groups = alike(stages);
  const times = groups.map(span);
  const timeWidth = Math.max(...times.map((time) => time.length));
  const severalAddresses = new Set(stages.flatMap(({ address }) => address ?? [])).size > 1;
  return groups.map(([first, ...others], i) => {
    const { status, stage, address } = first;
    const time = (times[i] ?? '').padStart(timeWidth);
    const where =
      others.length > 0
        ? `${others.length + 1} addresses  `
        : severalAddresses && address !== undefined
          ? `${address}  `
          : '';
    const told = summary(shared([first, ...others]));
    return `  ${style(status.padEnd(7), status)}  ${stage.padEnd(10)}  ${time}  ${where}${told}`.trimEnd();
  });
}

type Group = readonly [Finding, ...Finding[]];

function alike(stages: readonly Finding[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [i, finding] of stages.entries()) {
    const { stage, status, code, address } = finding;
    const key = address === undefined ? `${i}` : JSON.stringify([stage, status, code]);
    const known = groups.get(key);
    groups.set(key, known ? [...known, finding] : [finding]);
  }
  return [...groups.values()].flatMap((group) =>
    group.length >= MANY ? [group] : group.map((finding): Group => [finding]),
  );
}

/** What is the same for all of them; a single finding stays as it is. */
function shared([first, ...others]: Group): Finding {
  if (others.length === 0) return first;
  const evidence = Object.fromEntries(
    Object.entries(first.evidence).filter(([name, value]) =>
      others.every((other) => other.evidence[name] === value),
    ),
  );
  const { logId: _, ...rest } = first;
  return { ...rest, evidence };
}

function span(group: Group): string {
  const times = group.map(({ elapsedMs }) => elapsedMs);
  const [least, most] = [Math.min(...times), Math.max(...times)].map(milliseconds);
  return least === most ? `${most}` : `${least} – ${most}`;
}
