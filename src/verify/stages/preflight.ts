import { isIP } from 'node:net';
import type { Reason } from '../../codes/codes.js';
import { isHostName } from '../../net/host-name.js';
import { checkId } from '../../service/token/jwt.js';
import { checkTokenOptions } from '../../service/token/token-exchange.js';
import { failed, failedBy, type LooseEvidence, passed, warned } from '../model/findings.js';
import { type RunOptions, settingName } from '../model/options.js';
import type { Finding } from '../model/verification.js';
import { withoutBrackets } from '../transport/addresses.js';
import type { LinkContext, Stage } from '../transport/context.js';

/** Judges the JWT’s ingredients before the first packet is sent. */
export const preflight: Stage = async (context) => [await judge(context)];

type PreflightContext = Pick<LinkContext, 'host' | 'withAuth' | 'run'> & {
  readonly link: Pick<LinkContext['link'], 'apiHost' | 'via' | 'privateZone'>;
};

export async function judge(context: PreflightContext): Promise<Finding> {
  const start = performance.now();
  const { link, withAuth, run } = context;
  if (!withAuth) return judgeWithoutAuth(link.apiHost);
  const { appId = '', keyId = '' } = run.options.credentials ?? {};
  const evidence: LooseEvidence = {
    kid: keyId || undefined,
    // A flag, a variable or a file, as the caller tells it.
    kidSource: run.options.settings?.find(({ name }) => name === '--key-id')?.source,
    keySource: run.signer.source,
    iss: appId || undefined,
    aud: link.apiHost,
  };
  const facts = (more: LooseEvidence = {}) => ({
    elapsedMs: performance.now() - start,
    evidence: { ...evidence, ...more },
  });
  const fail = (reason: Reason, more: LooseEvidence) => failed('preflight', reason, facts(more));

  const missing = missingCredentials(context);
  if (missing.length > 0) return fail('credentials.missing', { missing: missing.join(', ') });
  const problem = audienceProblem(link, context.host);
  if (problem !== undefined) return fail('usage.invalid: audience', { problem });
  try {
    checkIngredients(run.options);
    const { keyBits, groupReadable } = await run.signer.inspect();
    if (groupReadable !== undefined) {
      return warned(
        'preflight',
        'key.permissions: group',
        facts({ keyBits, chmod: groupReadable }),
      );
    }
    return passed('preflight', facts({ keyBits }));
  } catch (error) {
    return failedBy('preflight', error, facts());
  }
}

/** No JWT is made, but the API host is in reports and in commands to repeat. */
function judgeWithoutAuth(apiHost: string): Finding {
  const credentials = 'not used';
  const problem = apiHostProblem(apiHost);
  if (problem === undefined) return passed('preflight', { evidence: { credentials } });
  const evidence = { credentials, aud: apiHost, problem };
  return failed('preflight', 'usage.invalid: audience', { evidence });
}

function missingCredentials({ run }: PreflightContext): string[] {
  const { enterpriseId, appId, keyId } = run.options.credentials ?? {};
  const given = { enterpriseId, appId, keyId, privateKey: run.signer.source };
  return Object.entries(given)
    .filter(([, value]) => value === undefined || value.trim() === '')
    .map(([field]) => settingName(run.options, field));
}

/** @throws ConnectivityError `usage.invalid` */
function checkIngredients(options: RunOptions): void {
  const { credentials = {}, names } = options;
  const { enterpriseId = '', appId = '', keyId = '' } = credentials;
  for (const [field, id] of Object.entries({ enterpriseId, appId, keyId })) {
    checkId(settingName(options, field), id);
  }
  checkTokenOptions({ enterpriseId }, names);
}

/** Explains why a text cannot be an API host of anyone; undefined if it can. */
function apiHostProblem(text: string): string | undefined {
  if (isAddress(text)) return 'the API host is an address';
  return isHostName(text) ? undefined : 'the API host is not a bare host name';
}

/** The reasons why the host of a link that is called in place of the public API host cannot be the audience. */
const NOT_PUBLIC: Readonly<Partial<Record<LinkContext['link']['via'], string>>> = {
  'service-endpoint': 'the API host is the private domain of the link',
  'fixed-ip-egress':
    'the API host is the host of the fixed-IP base URL, which is called in place of the public one',
};

/** Explains why an audience cannot be right; undefined where nothing speaks against it. */
export function audienceProblem(
  { apiHost: aud, via, privateZone }: PreflightContext['link'],
  host: string,
): string | undefined {
  const problem = apiHostProblem(aud);
  if (problem !== undefined) return problem;
  if (privateZone || aud.toLowerCase() !== host.toLowerCase()) return undefined;
  return NOT_PUBLIC[via];
}

/** Addresses have spellings that only a URL parser knows: `0x7f.1`, `2130706433`; each ends in a number. */
function isAddress(text: string): boolean {
  if (isIP(withoutBrackets(text)) !== 0) return true;
  if (/^[\w.-]+$/.test(text) && !/(^|\.)(\d+|0x[\da-f]*)\.?$/i.test(text)) return false;
  const url = `http://${text}`;
  return URL.canParse(url) && isIP(new URL(url).hostname) !== 0;
}
