import { reasonText } from '../../codes/stated.js';
import type { ProbeResult } from '../model/verification.js';
import { inShort } from './stage-facts.js';

/**
 * Describes what a probe did and its result, in words; not every probe is a try that works or fails. The
 * verb is `seen` where nothing was sent.
 */
export function probeWords(probe: ProbeResult) {
  const { name, changed, ok, evidence } = probe;
  const { inside, own, networks, skewMs, answers, addresses, httpStatus } = evidence;
  const how = reasonText(probe) ?? (httpStatus && `HTTP ${httpStatus}`);
  const tried = (works: string, what = `${name} ${changed}`, didWork = ok) => {
    const outcome = didWork ? works : `fails${how === undefined ? '' : ` with ${how}`}`;
    return { verb: 'tried', what, outcome };
  };
  switch (name) {
    case 'own-address': {
      const outcome = ok ? `${inside}, in ${networks}` : `${own}, not in ${networks}`;
      return { verb: 'seen', what: `${name} ${changed}`, outcome };
    }
    case 'clock':
      return tried(`clock skew ${skewMs} ms`, undefined, typeof skewMs === 'number');
    case 'same-resolver':
      return tried(`answers ${inShort(answers)}`, `resolver ${changed} again`, true);
    case 'server-time':
      return tried('accepted');
    case 'resolver':
      return tried(`answers ${inShort(addresses)}`);
    case 'first-bytes':
      return ok && evidence.says !== undefined ? tried(`answers ${evidence.says}`) : tried('works');
    case 'server-name':
      return tried('works', changed === 'none' ? 'no server name' : undefined);
    default:
      return tried('works');
  }
}
