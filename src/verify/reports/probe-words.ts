import type { ProbeResult } from '../model/verification.js';

interface ProbeWords {
  /** `seen` where nothing was sent. */
  readonly verb: 'tried' | 'seen';
  readonly what: string;
  readonly outcome: string;
}

/** What a probe did and what came of it, in words; not every probe is a try that works or fails. */
export function probeWords(probe: ProbeResult): ProbeWords {
  const { name, changed, ok, evidence } = probe;
  const what = `${name} ${changed}`;
  switch (name) {
    case 'own-address': {
      const { inside, own, networks } = evidence;
      const outcome = ok ? `${inside}, in ${networks}` : `${own}, not in ${networks}`;
      return { verb: 'seen', what, outcome };
    }
    case 'clock':
      return { verb: 'tried', what, outcome: clockOutcome(probe) };
    case 'server-time':
      return { verb: 'tried', what, outcome: ok ? 'accepted' : failure(probe) };
    case 'same-resolver':
      return {
        verb: 'tried',
        what: `resolver ${changed} again`,
        outcome: `answers ${evidence.answers}`,
      };
    case 'resolver':
      return {
        verb: 'tried',
        what,
        outcome: ok ? `answers ${evidence.addresses}` : failure(probe),
      };
    case 'server-name':
      return {
        verb: 'tried',
        what: changed === 'none' ? 'no server name' : what,
        outcome: general(probe),
      };
    default:
      return { verb: 'tried', what, outcome: general(probe) };
  }
}

function general(probe: ProbeResult): string {
  return probe.ok ? 'works' : failure(probe);
}

function failure({ code }: ProbeResult): string {
  return `fails${code === undefined ? '' : ` with ${code}`}`;
}

function clockOutcome(probe: ProbeResult): string {
  const { skewMs } = probe.evidence;
  if (typeof skewMs !== 'number') return failure(probe);
  return `clock skew ${skewMs} ms`;
}
