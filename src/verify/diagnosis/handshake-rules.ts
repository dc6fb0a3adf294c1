import { type Reason, reasonOf } from '../../codes/codes.js';
import type { Evidence, Finding, ProbeResult } from '../model/verification.js';
import { FIRST_BYTES, MIN_SERVER_HELLO } from '../model/verification-names.js';
import { otherProtocol } from './call-rules.js';
import {
  type Candidate,
  type Facts,
  type Failures,
  findOtherNames,
  findProbes,
  partialFailure,
  pick,
  type Rule,
  type Rules,
  shownCause,
  unsteady,
  wayToSend,
  weigh,
} from './candidates.js';
import { byOtherName } from './certificate-rules.js';

/** Finds a cause by the port's answer to a few bytes in place of a handshake. */
function byFirstBytes(facts: Facts, failures: Failures): Candidate[] {
  const [{ evidence: seen }] = failures;
  const code = reasonOf(failures[0]);
  const all = findProbes(facts, 'first-bytes');
  const slow = all.filter(({ changed }) => changed === FIRST_BYTES.smallPackets);
  if (slow.length > 0 && slow.every(({ ok }) => ok)) {
    const seen = { 'a handshake': 'no answer', [FIRST_BYTES.smallPackets]: 'completed' };
    return [shownCause('path.mtu', 90, seen)];
  }
  const tries = all.filter((one) => !slow.includes(one));
  const first = tries.find(({ changed }) => changed === FIRST_BYTES.hello);
  if (code === 'tls.failed: out of turn' && first?.ok) return [bySays(code, first)];
  if (code !== 'tls.timeout' || tries.length === 0) return [];
  const foreign = tries.find(
    ({ changed, ok, evidence }) =>
      ok &&
      (changed === FIRST_BYTES.words
        ? PLAIN_ANSWER.test(String(evidence.says))
        : changed === FIRST_BYTES.hello && evidence.isTls !== true),
  );
  if (foreign !== undefined) return [bySays('tls.not-tls', foreign)];
  if (hasStopped(failures) && first?.evidence.isTls === true) {
    const shown = { 'the server sends': `${seen.received} bytes of TLS, and nothing after them` };
    return [shownCause(code, 85, shown)];
  }
  // An end is an answer too, of a program that has read the bytes; unless it ends whatever is sent.
  const asked = tries.filter(({ changed }) => changed !== FIRST_BYTES.nothing);
  const endsAnyway = tries.some(
    (one) => one.changed === FIRST_BYTES.nothing && one.code === 'tls.reset',
  );
  const answered =
    asked.find(({ ok }) => ok) ??
    (endsAnyway ? undefined : asked.find(({ code: own }) => own === 'tls.reset'));
  if (answered !== undefined && !hasStopped(failures)) {
    const { changed, evidence } = answered;
    const handshake =
      seen.received === undefined ? 'no answer' : `${seen.received} bytes, and no more in time`;
    const both = { 'a handshake': handshake, [changed]: evidence.says ?? 'the connection ends' };
    return [{ code: 'path.mtu', weight: 85, evidence: both }];
  }
  const evidence = Object.fromEntries(tries.map(({ changed }) => [changed, 'no answer']));
  const isSilent = tries.every(({ code: own }) => own === 'tls.timeout');
  return isSilent ? weigh(evidence, { 'server.no-target: hung program': 65 }) : [];
}

/** A cause that the port's own answer shows. */
function bySays(code: Reason, { changed, evidence }: ProbeResult): Candidate {
  return shownCause(code, 85, { [changed]: evidence.says ?? '' });
}

/** An answer to plain HTTP; a port that speaks TLS gives 400 at best. */
const PLAIN_ANSWER = /^HTTP\/1\.\d (?!400)\d{3}/;

/** The handshake is cut off, refused or silent. */
const brokenHandshake: Rule = (facts, failures) => {
  const code = reasonOf(failures[0]) ?? 'tls.failed';
  const partial = partialFailure(facts, failures);
  if (failures.every(isBehindHandshake)) return partial;
  const steady = unsteady(facts, failures);
  if (steady.length > 0) return [...steady, ...partial];
  const unknown = [...unknownName(facts, failures), ...otherProtocol(failures)];
  if (unknown.length > 0) return [...unknown, ...partial];
  const bytes = byFirstBytes(facts, failures);
  if (bytes.some(({ isShown }) => isShown)) return [...bytes, ...partial];
  const named = byOtherName(facts, code);
  if (named.length + partial.length > 0) return [...named, ...partial];
  const slow = trickling(failures);
  if (slow.length > 0) return slow;
  const others = findOtherNames(facts).map((one) => [wayToSend(one.changed), reasonOf(one) ?? '']);
  const evidence = { ...errorOf(failures), ...Object.fromEntries(others) };
  // Whatever has begun to answer is there.
  const hasAnswered = failures.every((one) => one.evidence.received !== undefined);
  const noTarget = hasAnswered ? {} : { 'server.no-target': 60 };
  if (code === 'tls.reset') return weigh(evidence, { ...noTarget, 'path.filter': 55 });
  if (code !== 'tls.timeout') return [];
  // A live server at the end contradicts that there is no target.
  if (bytes.some((one) => one.code === 'path.mtu'))
    return [...bytes, ...weigh(evidence, { 'path.filter': 30 })];
  const ofPath = hasStopped(failures) ? 35 : 50;
  return [...bytes, ...weigh(evidence, { ...noTarget, 'path.mtu': ofPath, 'path.filter': 40 })];
};

/** An answer that still comes when the time is nearly over is stopped by nothing on the path. */
function trickling([
  {
    code,
    evidence: { received = '', lateBytes },
  },
]: Failures): Candidate[] {
  if (code !== 'tls.timeout' || lateBytes === undefined) return [];
  const seen = { 'bytes of an answer': received, 'in the last quarter of the time': lateBytes };
  return [shownCause(code, 85, seen)];
}

/** An answer began with less than any handshake: it is not its size that is in the way. */
function hasStopped(failures: Failures): boolean {
  return failures.every(
    ({ evidence: { received } }) => received !== undefined && Number(received) < MIN_SERVER_HELLO,
  );
}

/** The handshake was completed, so nothing in it, such as the server name, is what was refused. */
function isBehindHandshake({ evidence: { protocol } }: Finding): boolean {
  return protocol !== undefined;
}

/** The server says that it does not know the name, nor any other that it was tried with. */
function unknownName(facts: Facts, [{ evidence }]: Failures): Candidate[] {
  const named = findOtherNames(facts).filter(({ changed }) => changed !== 'none');
  const answers = [evidence, ...named.map((probe) => probe.evidence)];
  if (answers.some(({ alert }) => alert !== UNKNOWN_NAME)) return [];
  const names = [facts.tlsServerName, ...named.map(({ changed }) => changed)].join(', ');
  const shown = { 'knows none of these names': names };
  return [shownCause('tls.server-name: unknown to the server', 90, shown)];
}

const UNKNOWN_NAME = 'unrecognized_name';

/** Returns the port's greeting, or its answer to plain words: `SSH-2.0-OpenSSH_9.6`. */
function bannerOf(facts: Facts): Evidence {
  const tries = findProbes(facts, 'first-bytes');
  const found = tries.find(({ ok, evidence }) => ok && evidence.says !== undefined);
  return found === undefined ? {} : { banner: found.evidence.says ?? '' };
}

function errorOf([{ evidence }]: Failures): Evidence {
  return { error: evidence.error ?? '', ...pick(evidence, 'received') };
}

/** Rules for handshakes that are not completed. */
export const HANDSHAKE_RULES: Rules = {
  'tls.reset': brokenHandshake,
  'tls.timeout': brokenHandshake,
  'tls.failed': brokenHandshake,
  'tls.failed: alert': brokenHandshake,
  'tls.failed: out of turn': brokenHandshake,
  'tls.failed: damaged': partialFailure,
  'tls.not-tls': (facts, failures) => [
    ...partialFailure(facts, failures),
    shownCause('tls.not-tls', 88, { ...errorOf(failures), ...bannerOf(facts) }),
  ],
};
