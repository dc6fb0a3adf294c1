import type { CodeFacts } from './code-facts.js';
import { EXIT } from './exit-status.js';
import { nearTexts } from './near-text.js';
import { ADDRESS_CODES } from './table/address.js';
import { ADOPT_CODES } from './table/adopt.js';
import { API_CODES } from './table/api.js';
import { BACKEND_CODES } from './table/backend.js';
import { CHAT_CODES } from './table/chat.js';
import { CONNECTION_CODES } from './table/connection.js';
import { DEPLOY_CODES } from './table/deploy.js';
import { DNS_CODES } from './table/dns.js';
import { ENDPOINT_CODES } from './table/endpoint.js';
import { HOST_CODES } from './table/host.js';
import { HTTP_CODES } from './table/http.js';
import { INPUT_CODES } from './table/input.js';
import { KEY_CODES } from './table/key.js';
import { PATH_CODES } from './table/path.js';
import { POLICY_CODES } from './table/policy.js';
import { PREFLIGHT_CODES } from './table/preflight.js';
import { PROXY_CODES } from './table/proxy.js';
import { RUN_CODES } from './table/run.js';
import { SERVER_CODES } from './table/server.js';
import { TCP_CODES } from './table/tcp.js';
import { TLS_CODES } from './table/tls.js';
import { TOKEN_CODES } from './table/token.js';

export { EXIT };

/**
 * Every code that a finding or an error can carry, in the order of a run: what was given, then the
 * stages with their causes, then review and deploy. A code belongs to the file of its prefix in
 * `table/`; `input.ts`, `preflight.ts`, `path.ts`, `http.ts`, `connection.ts`, `adopt.ts` and `run.ts`
 * also hold the prefixes that have one or two codes. What a code says is looked up here and nowhere
 * repeated.
 */
export const CODES = {
  ...INPUT_CODES,
  ...PREFLIGHT_CODES,
  ...KEY_CODES,
  ...DNS_CODES,
  ...ADDRESS_CODES,
  ...PROXY_CODES,
  ...TCP_CODES,
  ...TLS_CODES,
  ...HOST_CODES,
  ...PATH_CODES,
  ...ENDPOINT_CODES,
  ...SERVER_CODES,
  ...HTTP_CODES,
  ...TOKEN_CODES,
  ...API_CODES,
  ...CHAT_CODES,
  ...CONNECTION_CODES,
  ...BACKEND_CODES,
  ...POLICY_CODES,
  ...DEPLOY_CODES,
  ...ADOPT_CODES,
  ...RUN_CODES,
};

export type Code = keyof typeof CODES;

const MAX_NEAR = 3;
/** Longer than any code: what is like a text takes time that grows with its length. */
const MAX_WRITTEN = 64;

const ANY_LINK = { hasEndpoint: true };

/** Tells whether a text, say from a command line, is a code of the table. */
export function isCode(text: string): text is Code {
  return Object.hasOwn(CODES, text);
}

/** @param link whose kind the texts follow; where not given, those of a link with an endpoint */
export function factsOf(code: Code, link: { readonly hasEndpoint: boolean } = ANY_LINK): CodeFacts {
  const { withoutEndpoint, ...facts }: CodeFacts = CODES[code];
  return link.hasEndpoint ? facts : { ...facts, ...withoutEndpoint };
}

/** Codes that may have been meant: with few other letters, else with the text as a word or at the start. */
export function nearCodes(text: string): readonly Code[] {
  const wanted = text.toLowerCase();
  const codes = Object.keys(CODES) as Code[];
  if (wanted.length > MAX_WRITTEN) return [];
  const near = nearTexts(wanted, codes);
  const alike = codes.filter(
    (code) => code.split(/[.-]/).includes(wanted) || (wanted !== '' && code.startsWith(wanted)),
  );
  return (near.length > 0 ? near : alike).slice(0, MAX_NEAR);
}
