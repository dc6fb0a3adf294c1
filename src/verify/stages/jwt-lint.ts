import { isIP } from 'node:net';
import { isHostName } from '../../net/host-name.js';
import type { JwtClaims } from '../../service/token/jwt.js';

/** A longer one is recommended; specification, part 2.2. */
const SHORT_JTI_BYTES = 32;

/** Why an API host cannot be one, whoever uses it; undefined where it can. */
export function apiHostProblem(text: string): string | undefined {
  if (isAddress(text)) return 'the API host is an address';
  return isHostName(text) ? undefined : 'the API host is not a bare host name';
}

/** Why an audience cannot be right; undefined where nothing speaks against it. */
export function audienceProblem(
  aud: string,
  {
    via,
    host,
    privateZone,
  }: { readonly via: string; readonly host: string; readonly privateZone?: boolean | undefined },
): string | undefined {
  const problem = apiHostProblem(aud);
  if (problem !== undefined) return problem;
  const isOneHost = aud.toLowerCase() === host.toLowerCase();
  if (via === 'private-network' && isOneHost && !privateZone) {
    return 'the API host is the private domain of the link';
  }
  return undefined;
}

/** Addresses have spellings that only a URL parser knows: `0x7f.1`, `2130706433`. */
function isAddress(text: string): boolean {
  if (isIP(text.replace(/^\[|\]$/g, '')) !== 0) return true;
  try {
    return isIP(new URL(`http://${text}`).hostname) !== 0;
  } catch {
    return false;
  }
}

/** What the service would refuse in a JWT, one sentence each; judged before anything is signed. */
export function jwtProblems(claims: JwtClaims, now: number): string[] {
  const { iss, iat, exp, jti } = claims;
  return [
    ...(iss.trim() === '' ? ['`iss` must not be empty'] : []),
    ...(exp > iat ? [] : [`\`exp\` must be later than \`iat\`, got: ${exp} and ${iat}`]),
    ...(exp * 1000 > now ? [] : ['`exp` must be in the future, by this machine’s clock']),
    ...(Buffer.byteLength(jti) > SHORT_JTI_BYTES
      ? []
      : [`\`jti\` must have more than ${SHORT_JTI_BYTES} bytes, got: ${Buffer.byteLength(jti)}`]),
  ];
}
