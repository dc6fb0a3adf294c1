import { isIP } from 'node:net';
import { reasonOf } from '../../codes/codes.js';
import { safeText } from '../../codes/redact.js';
import { Secret } from '../../codes/secret.js';
import { asObject } from '../../files/json.js';
import type { ServiceRequest } from '../../service/http/message.js';
import { tokenRequest } from '../../service/token/token-exchange.js';
import { workspacesRequest } from '../../service/workspaces.js';
import { firstFailure } from '../model/findings.js';
import { isUnexplained } from '../model/refusal-words.js';
import type { ProbeResult } from '../model/verification.js';
import { NOBODYS_NAME } from '../model/verification-names.js';
import type { Attempt } from '../transport/context.js';
import { inSmallPackets } from '../transport/dial.js';
import { addressesFailedWith, failedWith, type Probe, probed, tryRoute, tryTls } from './probe.js';

/** Failures of a handshake that the server name can cause. */
const NAMED = /^tls\.(reset|timeout|failed(: alert)?|name-mismatch|untrusted)$/;

/** The same server name in TLS again, another, or none. Each name that is sent is also the one that is verified. */
export const serverNames: Probe = async (context) => {
  const [address] = addressesFailedWith(context, NAMED);
  if (address === undefined) return [];
  const isUntrusted = failedWith(context, /^tls\.untrusted$/);
  // With a name that nobody has, it shows whether certificates are made for whatever is asked for.
  const names = [...otherNames(context), ...(isUntrusted ? [NOBODYS_NAME] : [])];
  const others = names.map((name) =>
    probed('server-name', name, () => tryTls({ ...context, tlsServerName: name }, address)),
  );
  const none = probed('server-name', 'none', () =>
    tryTls({ ...context, sendsServerName: false }, address),
  );
  // What differs by itself from one connection to the next does not differ by the name.
  const same = isUntrusted
    ? []
    : [1, 2].map(() =>
        probed('server-name', context.tlsServerName, () => tryTls(context, address)),
      );
  return await Promise.all([...others, none, ...same]);
};

function otherNames({ link, host, tlsServerName }: Attempt): string[] {
  const names = new Set([link.apiHost, host, link.tlsServerName ?? host]);
  return [...names].filter((name) => name !== tlsServerName && isIP(name) === 0);
}

/** More than one packet of any usual size, and less than what servers take as a request's head. */
const PADDING_BYTES = 9_000;
export const LARGE_REQUEST = `${PADDING_BYTES} bytes more`;
const PADDED: ServiceRequest = {
  ...workspacesRequest(undefined, { pageSize: 1 }),
  fillingBytes: PADDING_BYTES,
};

const LOST_CALL = /^http\.(timeout(: HTTP 408)?|reset)$/;

/** One small call without credential on a new connection: who answers proves the network good. */
export const noCredential: Probe = async (context) =>
  await Promise.all(
    withoutAnswer(context).map((address) =>
      probed('no-credential', address, () => tryRoute(context, address)),
    ),
  );

/** Failures of the API call that may lie in the connection, which has carried a call before. */
const ON_USED = /^http\.(timeout|reset|server-error|unexpected-answer: API call)$|^(tcp|tls)\./;

/** The API call once more, with its token, on a new connection; one that was lost also with a small answer. */
export const newConnection: Probe = async (context) => {
  const { primaryPath, token } = context.seen;
  if (primaryPath === undefined) return [];
  const { address } = primaryPath;
  if (token === undefined) return isTokenLost(context, address) ? tokenAgain(context, address) : [];
  const findings = context.findings.filter(({ stage }) => stage === 'workspaces');
  if (!failedWith({ findings }, ON_USED)) return [];
  const call = async (page?: { readonly pageSize: number }) => {
    const tried = await tryRoute(context, address, workspacesRequest(token.value, page));
    const { status = 0, json } = tried.response ?? {};
    return { ...tried, ok: tried.ok && status < 300 && asObject(json)?.code === 0 };
  };
  const isLost = failedWith({ findings }, /^http\.timeout$/);
  return await Promise.all([
    probed('new-connection', address, () => call()),
    ...(isLost ? [probed('small-answer', 'for one workspace', () => call({ pageSize: 1 }))] : []),
  ]);
};

/** Tells whether what got no answer at an address was the token call. */
function isTokenLost({ withAuth, isPlain, findings }: Attempt, address: string): boolean {
  return findings.some((one) => {
    const isIts = one.stage === 'token' || (one.stage === 'http' && withAuth && !isPlain);
    return isIts && reasonOf(one) === 'http.timeout' && (one.address ?? address) === address;
  });
}

/** The token call once more on new connections: with a JWT of its own, and without, for a small answer. */
async function tokenAgain(context: Attempt, address: string): Promise<readonly ProbeResult[]> {
  const { run, link } = context;
  const withJwt = async () => {
    const { jwt } = await run.signer.sign(link.apiHost, context.callLimits(2));
    return await tryRoute(context, address, tokenCall(context, jwt));
  };
  return await Promise.all([
    probed('new-connection', address, withJwt),
    probed('small-answer', 'without a JWT', () => tryRoute(context, address, tokenCall(context))),
  ]);
}

function tokenCall({ run }: Attempt, jwt?: Secret): ServiceRequest {
  const { enterpriseId = '' } = run.options.credentials ?? {};
  const { credential, ...request } = tokenRequest({ enterpriseId, jwt: jwt ?? new Secret('-') });
  return jwt === undefined ? request : { ...request, credential };
}

/** The addresses at which the call was lost, or what came could not be read. */
function withoutAnswer(context: Attempt): string[] {
  const unread = context.findings.filter(({ evidence }) => evidence.httpStatus === undefined);
  return [
    ...addressesFailedWith(context, LOST_CALL),
    ...addressesFailedWith({ ...context, findings: unread }, /^http\.unexpected-answer$/),
  ];
}

/**
 * A small call and, twice, one that fills packets: one slow request alone says nothing of sizes. Over
 * TLS the large one is also sent in small packets.
 */
export const largeRequest: Probe = async (context) => {
  const isLost = failedWith(context, LOST_CALL);
  const address = addressesFailedWith(context, LOST_CALL)[0] ?? context.seen.primaryPath?.address;
  if (!isLost || address === undefined) return [];
  const tryLarge = (how: string, over?: typeof inSmallPackets) =>
    probed('large-request', `${LARGE_REQUEST}, ${how}`, async () => {
      const tried = await tryRoute(context, address, PADDED, over);
      const { response, evidence } = tried;
      // Any other answer proves that the large packets have arrived, even one that refuses them.
      return response === undefined || response.status === 408 ? tried : { ok: true, evidence };
    });
  return await Promise.all([
    probed('large-request', 'small', () => tryRoute(context, address)),
    ...['first try', 'second try'].map((how) => tryLarge(how)),
    ...(context.isPlain ? [] : [tryLarge('in small packets', inSmallPackets)]),
  ]);
};

/**
 * Sends a call that was refused without a reason once more without its credential: where the answer
 * differs, the credential had arrived.
 */
export const noAuthorization: Probe = async (context) => {
  const refusal = firstFailure(context.findings);
  const { address } = context.seen.primaryPath ?? {};
  if (refusal === undefined || address === undefined || !isUnexplained(refusal)) return [];
  const request = refusal.stage === 'token' ? tokenCall(context) : workspacesRequest(undefined);
  const call = async () => {
    const tried = await tryRoute(context, address, request);
    const { error_message: message, msg = message ?? '' } = asObject(tried.response?.json) ?? {};
    const { httpStatus, serviceMessage = '' } = refusal.evidence;
    const says = safeText(String(msg));
    const isSame = tried.evidence.httpStatus === httpStatus && says === serviceMessage;
    return { ...tried, evidence: { ...tried.evidence, says, isSame } };
  };
  return [await probed('no-authorization', `${request.method} without a credential`, call)];
};
