import { styleText } from 'node:util';
import type { Progress } from '../../verify/options.js';

const BAR_CELLS = 24;
const REDRAW_MS = 100;

export interface ProgressPrinter {
  readonly print: (progress: Progress) => void;
  readonly clear: () => void;
}

/**
 * Tells on stderr what goes on: one live line on a terminal, the stage of a single link or a bar over
 * several, and for a single link always a line for each new attempt, which may be long in coming.
 *
 * @param total of the links; infinite where it is not known
 */
export function progressPrinter(total: number): ProgressPrinter {
  const isLive = process.stderr.isTTY === true;
  const clear = () => {
    if (isLive) process.stderr.write('\r\u001b[K');
  };
  const live = (text: string) => {
    if (isLive) process.stderr.write(`\r\u001b[K${text}`);
  };
  return { clear, print: total === 1 ? single(live, clear) : several(live, total) };
}

function single(live: (text: string) => void, clear: () => void): ProgressPrinter['print'] {
  return (progress) => {
    const { kind, link } = progress;
    if (kind === 'stage') live(`${link}: ${progress.stage} …`);
    if (kind === 'retry') {
      const { attempt, code, nextInMs } = progress;
      clear();
      process.stderr.write(
        `verify: ${link}: attempt ${attempt} failed with ${code}, next in ${(nextInMs / 1000).toFixed(1)} s\n`,
      );
    }
    if (kind === 'pass') {
      clear();
      process.stderr.write(`verify: ${link}: pass ${progress.passes} of ${progress.wanted}\n`);
    }
  };
}

function several(live: (text: string) => void, total: number): ProgressPrinter['print'] {
  const start = performance.now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let done = 0;
  let bad = 0;
  return (progress) => {
    if (progress.kind !== 'link') return;
    done += 1;
    if (progress.verdict !== 'reachable') bad += 1;
    const now = performance.now();
    if (now - drawnAt < REDRAW_MS && done < total) return;
    drawnAt = now;
    live(barLine({ done, bad, total, seconds: (now - start) / 1000 }));
  };
}

interface Count {
  readonly done: number;
  readonly bad: number;
  readonly total: number;
  readonly seconds: number;
}

/** One line: bar, count, failures, speed, and the time that is left. */
export function barLine({ done, bad, total, seconds }: Count): string {
  const perSecond = done / Math.max(seconds, 0.001);
  const full = Math.floor((BAR_CELLS * done) / total);
  const bar = `${'█'.repeat(full)}${'░'.repeat(BAR_CELLS - full)}`;
  const isKnown = Number.isFinite(total);
  return [
    ...(isKnown ? [bar, `${done}/${total}`] : [`${done}`]),
    ...(bad > 0 ? [styleText('red', `${bad} failed`)] : []),
    `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`,
    ...(isKnown ? [`${Math.ceil((total - done) / perSecond)} s left`] : []),
  ].join('  ');
}
