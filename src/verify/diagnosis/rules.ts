import type { Code } from '../../codes/codes.js';
import { ownAddress, publicAddress, unexpectedAddress, unlistedAddress } from './address-rules.js';
import { nameNotFound, serverFails } from './dns-rules.js';
import type { Rule } from './facts.js';
import { gateway, lostRequest, stranger } from './http-rules.js';
import { partialFailure } from './partial-failure.js';
import { noRoute, packetsLost, refused } from './tcp-rules.js';
import {
  brokenHandshake,
  clientCertificate,
  notTls,
  outOfTime,
  untrusted,
  wrongName,
} from './tls-rules.js';
import { outOfTimeJwt, refusedJwt, refusedToken, unknownKey, wrongRequest } from './token-rules.js';

/** By the code that a link failed with; a code without a rule speaks for itself. */
export const RULES: Partial<Record<Code, Rule>> = {
  'dns.not-found': nameNotFound,
  'dns.timeout': serverFails,
  'dns.server-failed': serverFails,
  'address.public': publicAddress,
  'address.unexpected': unexpectedAddress,
  'address.not-listed': unlistedAddress,
  'address.this-machine': ownAddress,
  'tcp.timeout': packetsLost,
  'tcp.refused': refused,
  'tcp.unreachable': noRoute,
  'tls.name-mismatch': wrongName,
  'tls.untrusted': untrusted,
  'tls.bad-certificate': partialFailure,
  'tls.expired': outOfTime,
  'tls.not-yet-valid': outOfTime,
  'tls.reset': brokenHandshake,
  'tls.timeout': brokenHandshake,
  'tls.alert': brokenHandshake,
  'tls.failed': brokenHandshake,
  'tls.not-tls': notTls,
  'tls.client-certificate': clientCertificate,
  'http.timeout': lostRequest,
  'http.reset': lostRequest,
  'http.not-the-service': stranger,
  'http.redirect': partialFailure,
  'http.server-error': partialFailure,
  'http.rate-limited': partialFailure,
  'api.timeout': lostRequest,
  'api.reset': lostRequest,
  'chat.call-lost': lostRequest,
  'token.not-the-service': gateway,
  'api.not-the-service': gateway,
  'chat.not-the-service': gateway,
  'token.kid-unknown': unknownKey,
  'token.invalid-client': refusedJwt,
  'token.clock-skew': outOfTimeJwt,
  'token.invalid-request': wrongRequest,
  'token.not-found': wrongRequest,
  'token.unsupported-grant-type': wrongRequest,
  'api.token-rejected': refusedToken,
};
