import { styleText } from 'node:util';
import { sayWhileWaiting } from '../../../progress/waiting.js';
import type { Progress, StageName } from '../../../verify/model/verification.js';

const BAR_CELLS = 24;
const REDRAW_MS = 100;

/** The number of links up to which each new attempt gets a line if no terminal shows a bar. */
const MAX_LINKS_WITH_LINES = 16;
const COUNT_EVERY_MS = 10_000;

interface ProgressPrinter {
  readonly print: (progress: Progress) => void;
  readonly clear: () => void;
}

/**
 * Shows progress on stderr: one live line on a terminal, the stage of a single link or a bar over
 * several; and, for waits may be long, a line for each new attempt, or for many links now and then
 * how many wait. Where no live line shows it yet, or ever, a silence says what is waited for.
 *
 * @param total of the links; infinite where it is not known
 * @param first what is waited for before anything is heard
 */
export function progressPrinter(
  total: number,
  first = Number.isFinite(total) ? 'the first stage' : 'the first target',
): ProgressPrinter {
  const isLive = process.stderr.isTTY === true;
  const printer = isLive ? livePrinter(total) : linePrinter(total);
  let latest: Progress | undefined;
  const waiting = sayWhileWaiting(
    () => `verify: waiting for ${latest === undefined ? first : waitedFor(latest)}`,
  );
  return {
    clear: () => {
      waiting.end();
      printer.clear();
    },
    print: (progress) => {
      latest = progress;
      if (isLive) waiting.end();
      else waiting.heard();
      printer.print(progress);
    },
  };
}

function waitedFor(progress: Progress): string {
  const { kind, link } = progress;
  if (kind === 'stage') return `${link}: ${stageText(progress.stage)}`;
  if (kind === 'probes') return `${link}: probes for the cause`;
  return kind === 'link' ? 'the rest of the check' : `the next attempt at ${link}`;
}

/** A handshake is judged only once the first answer is there, which may take longer than the handshake. */
function stageText(stage: StageName): string {
  return stage === 'tls' ? 'tls and the first answer' : stage;
}

function livePrinter(total: number): ProgressPrinter {
  return total === 1 ? { print: showStage, clear: showLive } : bar(new LinkCounter(total));
}

/** Shows a text in place of what the line of the terminal has, or clears the line. */
function showLive(text = ''): void {
  process.stderr.write(`\r\u001b[K${text}`);
}

function showStage(progress: Progress): void {
  const { kind, link } = progress;
  if (kind === 'stage') showLive(`${link}: ${stageText(progress.stage)} …`);
  if (kind === 'probes') showLive(`${link}: probes …`);
  const line = attemptLine(progress);
  if (line !== undefined) showLive(line);
}

/** The line of a new attempt; undefined where there is none. */
function attemptLine(progress: Progress): string | undefined {
  const { kind, link } = progress;
  if (kind === 'retry') {
    const { attempt, code, nextInMs } = progress;
    return `verify: ${link}: attempt ${attempt} failed with ${code}, next in ${(nextInMs / 1000).toFixed(1)} s\n`;
  }
  if (kind !== 'pass') return undefined;
  return `verify: ${link}: pass ${progress.passes} of ${progress.wanted}\n`;
}

function linePrinter(total: number): ProgressPrinter {
  const counter = new LinkCounter(total);
  let countedAt = performance.now();
  return {
    clear: () => undefined,
    print: (progress) => {
      counter.count(progress);
      const line = attemptLine(progress);
      if (line === undefined) return;
      if (total <= MAX_LINKS_WITH_LINES) process.stderr.write(line);
      else if (performance.now() - countedAt >= COUNT_EVERY_MS) {
        countedAt = performance.now();
        process.stderr.write(`verify: ${counter.words()}\n`);
      }
    },
  };
}

/** Drawn no more often than eyes can follow, and in the end as it is. */
function bar(counter: LinkCounter): ProgressPrinter {
  let drawing: NodeJS.Timeout | undefined;
  let drawnAt = Number.NEGATIVE_INFINITY;
  const draw = () => {
    drawing = undefined;
    drawnAt = performance.now();
    showLive(barLine(counter.state()));
  };
  return {
    clear: () => {
      clearTimeout(drawing);
      drawing = undefined;
      drawnAt = Number.NEGATIVE_INFINITY;
      showLive();
    },
    print: (progress) => {
      const isNew = counter.count(progress) || drawnAt === Number.NEGATIVE_INFINITY;
      if (!isNew || drawing !== undefined) return;
      const restMs = drawnAt + REDRAW_MS - performance.now();
      if (restMs <= 0) draw();
      else drawing = setTimeout(draw, restMs).unref();
    },
  };
}

/** One line: bar, count, failures, links that wait, speed, and the time that is left. */
export function barLine({ done, bad, waiting, total, seconds }: Count): string {
  const perSecond = done / Math.max(seconds, 0.001);
  const full = Math.floor((BAR_CELLS * done) / total);
  const cells = `${'█'.repeat(full)}${'░'.repeat(BAR_CELLS - full)}`;
  const isKnown = Number.isFinite(total);
  return [
    ...(isKnown ? [cells, `${done}/${total}`] : [`${done}`]),
    ...(bad > 0 ? [styleText('red', `${bad} failed`)] : []),
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ...(done > 0 ? [`${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`] : []),
    ...(isKnown && done > 0 ? [`${Math.ceil((total - done) / perSecond)} s left`] : []),
  ].join('  ');
}

type Count = ReturnType<LinkCounter['state']>;

class LinkCounter {
  readonly #start = performance.now();
  readonly #waiting = new Set<string>();
  #done = 0;
  #bad = 0;

  constructor(readonly total: number) {}

  /** @returns whether anything has changed */
  count(progress: Progress): boolean {
    const { kind, link } = progress;
    if (kind === 'retry' || kind === 'pass') {
      this.#waiting.add(link);
      return true;
    }
    const hasWaited = this.#waiting.delete(link);
    if (kind === 'stage' || kind === 'probes') return hasWaited;
    this.#done += 1;
    if (progress.verdict !== 'reachable') this.#bad += 1;
    return true;
  }

  state() {
    const seconds = (performance.now() - this.#start) / 1000;
    /** For their next attempt. */
    const waiting = this.#waiting.size;
    return { done: this.#done, bad: this.#bad, waiting, total: this.total, seconds };
  }

  words(): string {
    const of = Number.isFinite(this.total) ? ` of ${this.total}` : '';
    return `${this.#done}${of} links checked, ${this.#waiting.size} waiting for a new attempt`;
  }
}
