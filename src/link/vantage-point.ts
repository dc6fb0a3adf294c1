import { usageError } from '../codes/connectivity-error.js';
import { findSecret, safeText } from '../codes/redact.js';

/** A vantage point from which links are checked. */
export interface VantagePoint {
  /** Names it in reports: letters, digits, `.`, `_` and `-`. */
  readonly name: string;
  /**
   * The words of a command that runs the words after it at the vantage point. No shell on this
   * machine interprets them; an empty list means this machine.
   */
  readonly command: readonly string[];
  /** `closed`: it must not reach a door that another vantage point reaches. @default - it must reach every link */
  readonly expect?: 'closed' | undefined;
}

const NAME = /^[\w.-]{1,60}$/;
const NAMED = /^([\w.-]{1,60})(:closed)?=(.*)$/s;

/**
 * `ssh bastion`, with a name `office=ssh bastion`, and expected to be closed `guests:closed=ssh guest-1`.
 *
 * @throws RangeError naming the rule
 */
export function parseVantagePoint(text: string): VantagePoint {
  // Taken apart, it may no longer look like one.
  if (findSecret(text) !== undefined) throw new RangeError('must not hold a secret');
  const [, name, closed, rest = text] = NAMED.exec(text) ?? [];
  const command = splitWords(rest);
  if (name !== undefined) return { name, command, ...(closed && { expect: 'closed' }) };
  if (command.length === 0) throw new RangeError('must be a command, alone or after NAME=');
  return { name: guessName(command), command };
}

/**
 * One command, or several vantage points: each with its name before the command, `office=ssh
 * bastion`, or in a separate field; `guests:closed=ssh guest-1` is expected to be closed.
 */
export type RunVia = string | readonly (string | VantagePoint)[];

/**
 * The vantage points of an option; no two have the same name.
 *
 * @param field named in errors
 * @throws ConnectivityError `usage.invalid`
 */
export function readVantagePoints(runVia: RunVia, field: string): readonly VantagePoint[] {
  const refuse = (rule: string): never => {
    throw usageError(`\`${field}\` ${rule}`);
  };
  try {
    const vantagePoints = [runVia]
      .flat()
      .map((one) => (typeof one === 'string' ? parseVantagePoint(one) : one));
    const names = vantagePoints.map(({ name }) => name);
    const bad = names.find((name) => !NAME.test(name));
    if (vantagePoints.some(({ command }) => findSecret(command.join(' ')) !== undefined)) {
      refuse('must not hold a secret, got: one, which is not shown');
    }
    if (vantagePoints.length === 0) refuse('must have at least one vantage point, got: none');
    if (bad !== undefined) {
      refuse(
        `must name vantage points with letters, digits, ".", "_" and "-", got: "${safeText(bad)}"`,
      );
    }
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined) {
      refuse(`must have vantage points of different names, got: ${twice} twice`);
    }
    const other = vantagePoints.find(({ expect = 'closed' }) => expect !== 'closed')?.expect;
    if (other !== undefined) {
      refuse(
        `must expect "closed" of a vantage point, or nothing, got: "${safeText(String(other))}"`,
      );
    }
    if (vantagePoints.every(({ expect }) => expect === 'closed')) {
      refuse(
        `must have a vantage point that reaches what is expected to be closed elsewhere, such as "here=", got: ${names.join(', ')} alone`,
      );
    }
    return vantagePoints;
  } catch (error) {
    if (error instanceof RangeError) refuse(`${error.message}, got: "${safeText(String(runVia))}"`);
    throw error;
  }
}

export function vantagePointText({ name, command, expect }: VantagePoint): string {
  return `${name}${expect === undefined ? '' : `:${expect}`}=${command.map(quoted).join(' ')}`;
}

/** Its last word that can be one: mostly the host, the pod or the container. */
function guessName(command: readonly string[]): string {
  const hosts = command.map((one) => one.replace(/^[^@]*@/, ''));
  return hosts.findLast((one) => NAME.test(one) && !one.startsWith('-')) ?? 'vantage-point';
}

const WORD = /(?:[^\s"'\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/g;

/** Splits a line into words as a shell does, but expands nothing. */
function splitWords(text: string): string[] {
  if (text.replaceAll(WORD, '').trim() !== '') {
    throw new RangeError('must close its quotation marks');
  }
  return (text.match(WORD) ?? []).map((word) =>
    word.replace(/\\([\s\S])|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"/g, (_, one, single, double) =>
      String(one ?? single ?? double.replace(/\\(["\\$`])/g, '$1')),
    ),
  );
}

function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
