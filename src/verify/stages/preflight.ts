import { isIP } from 'node:net';
import type { Code } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { checkTokenOptions } from '../../service/token.js';
import { failed, failedBy, type LooseEvidence, passed, warned } from '../findings.js';
import type { LinkContext } from '../link-context.js';
import type { Stage } from '../stage.js';
import type { Finding } from '../verification.js';

/** What can be judged before the first packet: the JWT’s ingredients. */
export const preflight: Stage = {
  name: 'preflight',
  run: async (context) => {
    const start = performance.now();
    const finding = await judge(context, () => performance.now() - start);
    return { findings: [finding], goOn: finding.status !== 'failed' };
  },
};

async function judge(context: LinkContext, elapsed: () => number): Promise<Finding> {
  const { link, withAuth, run } = context;
  if (!withAuth) return passed('preflight', { evidence: { credentials: 'not used' } });
  const { enterpriseId = '', appId = '', keyId = '', ...rest } = run.options.credentials ?? {};
  const evidence: LooseEvidence = {
    kid: keyId || undefined,
    iss: appId || undefined,
    aud: link.apiHost,
  };
  const facts = (more: LooseEvidence = {}) => ({
    elapsedMs: elapsed(),
    evidence: { ...evidence, ...more },
  });
  const fail = (code: Code, more: LooseEvidence) => failed('preflight', code, facts(more));

  const missing = missingCredentials(context);
  if (missing.length > 0) return fail('credentials.missing', { missing: missing.join(', ') });
  const problem = audienceProblem(context);
  if (problem !== undefined) return fail('preflight.audience', { problem });
  try {
    const { durationSeconds } = rest;
    checkTokenOptions({
      enterpriseId,
      ...(durationSeconds !== undefined && { durationSeconds }),
    });
    if (rest.sessionName === '') {
      throw new ConnectivityError('preflight.invalid', '`sessionName` must not be empty');
    }
    const { key, groupReadable } = await run.key();
    const keyBits = key.asymmetricKeyDetails?.modulusLength;
    return groupReadable === undefined
      ? passed('preflight', facts({ keyBits }))
      : warned('preflight', 'key.group-readable', facts({ keyBits, chmod: groupReadable }));
  } catch (error) {
    return failedBy('preflight', error, facts());
  }
}

function missingCredentials({ run }: LinkContext): string[] {
  const { enterpriseId, appId, keyId, privateKeyFile, privateKey } = run.options.credentials ?? {};
  const given = { enterpriseId, appId, keyId, privateKey: privateKeyFile ?? privateKey };
  return Object.entries(given)
    .filter(([, value]) => value === undefined || value.trim() === '')
    .map(([name]) => name);
}

function audienceProblem({ link, host }: LinkContext): string | undefined {
  const { apiHost, via } = link;
  if (isIP(apiHost.replace(/^\[|\]$/g, '')) !== 0) return 'the API host is an address';
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(apiHost)) {
    return 'the API host is not a bare host name';
  }
  if (via === 'private-network' && apiHost.toLowerCase() === host.toLowerCase()) {
    return 'the API host is the private domain of the link';
  }
  return undefined;
}
