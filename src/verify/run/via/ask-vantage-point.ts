import { isCode, type Reason } from '../../../codes/codes.js';
import { ConnectivityError } from '../../../codes/connectivity-error.js';
import { safeText } from '../../../codes/redact.js';
import { parseJson } from '../../../files/json.js';
import type { VantagePoint } from '../../../link/vantage-point.js';
import { TimeLimit } from '../../../service/http/time-limit.js';
import { RETRY_DELAY_MS, RUN_TIMEOUT_MS, RUN_WAIT_MS } from '../../model/options.js';
import type { Progress, Verification } from '../../model/verification.js';
import type { Signer } from '../../transport/signer.js';
import {
  ALIVE_EVERY_MS,
  type FarMessage,
  farMessageSchema,
  HELLO,
  OLDEST_NODE,
  type Order,
  type Reply,
} from './messages.js';
import {
  type Ended,
  NO_INPUT,
  VantagePointFailure,
  VantagePointProcess,
} from './vantage-point-process.js';

export interface AskContext {
  readonly signer: Signer;
  /** {@link farProgram} */
  readonly program: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress: (progress: Progress) => void;
}

/** The limit of what a login says before the check does, and of the report of one link. */
const GREETING_BYTES = 256 * 1024;
const LINK_BYTES = 512 * 1024;

/** Lines that are none of the check's, and that are shown where no report comes. */
const SAID_LINES = 3;
const SAID_CHARACTERS = 200;

/** Signs of life that may get lost before the vantage point counts as gone. */
const MAX_SILENT = 6;

/** Between an attempt and the next one, at the most. */
const PAUSE_MS = 15_000;

/**
 * Runs the check at a vantage point and brings back its report, which is not to be trusted yet.
 *
 * @throws VantagePointFailure `run.vantage-point-*`, `run.interrupted`
 */
export async function askVantagePoint(
  vantagePoint: VantagePoint,
  order: Order,
  context: AskContext,
): Promise<Verification> {
  if (context.signal?.aborted) throw new VantagePointFailure('run.interrupted');
  const child = new VantagePointProcess(vantagePoint);
  const watch = new Watch(order, () => child.stop());
  const stop = () => child.stop();
  context.signal?.addEventListener('abort', stop, { once: true });
  let greeted = false;
  const said: string[] = [];
  const keep = (line: string) => {
    if (said.length < SAID_LINES && line.trim() !== '') said.push(line.slice(0, SAID_CHARACTERS));
  };
  try {
    const serve = signingDesk(order, context.signer);
    const mostBytes = GREETING_BYTES + (order.links.length + 1) * LINK_BYTES;
    for await (const line of child.lines(mostBytes)) {
      if (!greeted) {
        const version = readHello(line);
        if (version === undefined) {
          // The check has begun there, and a wrapper changes what it says.
          if (line.includes(`${HELLO} v`)) {
            throw new VantagePointFailure('run.vantage-point: no result', {
              output: safeText(line),
            });
          }
          keep(line);
          continue;
        }
        if (isTooOld(version)) {
          throw new VantagePointFailure('run.vantage-point: Node.js too old', { node: version });
        }
        greeted = true;
        child.send(context.program);
        child.send(JSON.stringify(order));
        watch.heard();
        continue;
      }
      watch.heard();
      // A wrapper in between may write something too.
      const message = farMessageSchema.safeParse(parseJson(line)).data;
      if (message === undefined) keep(line);
      if (message?.say === 'report') return message.verification;
      if (message?.say === 'error') throw toError(message);
      if (message?.say === 'progress') context.onProgress(message.progress);
      if (message?.say === 'inspect' || message?.say === 'sign') {
        serve(message).then((reply) => child.send(JSON.stringify(reply)));
      }
    }
    if (context.signal?.aborted) throw new VantagePointFailure('run.interrupted');
    const ended = await child.end();
    const output = safeText(said.join(' '));
    const code = watch.isOver ? 'run.vantage-point: no answer' : endCode(ended, greeted, output);
    throw new VantagePointFailure(code, { ...ended, ...(output !== '' && { output }) });
  } finally {
    watch.end();
    context.signal?.removeEventListener('abort', stop);
    await child.end();
  }
}

/** A login may write something without a line feed before it. */
function readHello(line: string): string | undefined {
  return new RegExp(`^${HELLO} v(\\d+\\.\\d+\\.\\d+)\\S*$`).exec(line.trim())?.[1];
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldest, oldestMinor] = OLDEST_NODE;
  return major < oldest || (major === oldest && minor < oldestMinor);
}

function toError({ code, message }: { code: string; message: string }): Error {
  const seen = { error: safeText(message) };
  const isKnown = isCode(code) && code !== 'internal.bug';
  return new VantagePointFailure('run.vantage-point', isKnown ? { ...seen, code } : seen);
}

/** Errors with which a system refuses to start what is no program there. */
const NO_PROGRAM = /: (ENOENT|EACCES|ENOTDIR|ENAMETOOLONG|ENOEXEC)$/;

function endCode({ exit, error, stderr = '' }: Ended, greeted: boolean, output: string): Reason {
  if (error !== undefined)
    return NO_PROGRAM.test(error) ? 'run.vantage-point: no program' : 'run.vantage-point';
  const other = exit === 0 ? 'run.vantage-point: no result' : 'run.vantage-point';
  if (greeted) return exit === NO_INPUT ? 'run.vantage-point: no input' : other;
  if (exit === 9 && /bad option/.test(stderr)) return 'run.vantage-point: Node.js too old';
  const said = `${stderr} ${output}`;
  // Another program may be missing, or one that is named by all the words together.
  const isMissing =
    !/\bnode --import\b/.test(said) &&
    (/\bnode\b.*(not found|no such file)|(not found|no such file).*\bnode\b/i.test(said) ||
      (exit === 127 && (/\bnode\b/.test(said) || said.trim() === '')));
  return isMissing ? 'run.vantage-point: no Node.js' : other;
}

/** Ends what is silent for too long, or takes longer than the check itself allows. */
class Watch {
  readonly #stop: () => void;
  #silence: TimeLimit;
  readonly #whole: TimeLimit;
  isOver = false;

  constructor(
    { options: { timeoutMs = RUN_TIMEOUT_MS, waitMs = RUN_WAIT_MS, settle = 1 } }: Order,
    stop: () => void,
  ) {
    this.#stop = stop;
    const silence = MAX_SILENT * ALIVE_EVERY_MS;
    const whole = waitMs + (settle + 1) * (timeoutMs * 1.5 + PAUSE_MS) + silence;
    this.#silence = this.#limit(Math.min(timeoutMs, silence));
    this.#whole = this.#limit(whole);
  }

  heard(): void {
    this.#silence.end();
    this.#silence = this.#limit(MAX_SILENT * ALIVE_EVERY_MS);
  }

  end(): void {
    this.#silence.end();
    this.#whole.end();
  }

  #limit(ms: number): TimeLimit {
    return new TimeLimit(ms, () => {
      this.isOver = true;
      this.#stop();
    });
  }
}

/** The limit by which another clock may shift a JWT: one for later would outlast the check. */
const MAX_SHIFT_MS = 10 * 60_000;

type KeyMessage = Extract<FarMessage, { say: 'inspect' | 'sign' }>;

/** Signs for a vantage point: as many JWTs as the check can use, for its hosts, for now. */
function signingDesk(
  { links, options, connectOnly }: Order,
  signer: Signer,
): (message: KeyMessage) => Promise<Reply> {
  const { waitMs = RUN_WAIT_MS, settle = 1, retryDelayMs = RETRY_DELAY_MS } = options;
  const hosts = new Set(links.map(({ apiHost }) => apiHost));
  // An attempt has one, and its diagnosis another.
  let left = connectOnly
    ? 0
    : links.length * 2 * (2 + settle + Math.ceil((2 * waitMs) / retryDelayMs));
  return async (message) => {
    const { id } = message;
    try {
      if (message.say === 'inspect') return { id, ...(await signer.inspect()) };
      const { apiHost, at } = message;
      left -= 1;
      if (left < 0) refuse('more JWTs than the check can use');
      if (!hosts.has(apiHost)) refuse('a JWT for another host');
      if (at !== undefined && Math.abs(at - Date.now()) > MAX_SHIFT_MS) {
        refuse('a JWT for a time more than ten minutes away');
      }
      const { jwt, claims } = await signer.sign(apiHost, {}, at === undefined ? at : () => at);
      return { id, jwt: jwt.reveal(), claims };
    } catch (error) {
      const code = error instanceof ConnectivityError ? error.code : 'internal.bug';
      return { id, code, message: error instanceof Error ? safeText(error.message) : '' };
    }
  };
}

function refuse(what: string): never {
  throw new ConnectivityError('run.vantage-point: no result', `the vantage point asks for ${what}`);
}
