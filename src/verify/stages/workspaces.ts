import type { Reason } from '../../codes/codes.js';
import { safeText } from '../../codes/redact.js';
import { logIdOf } from '../../service/http/message.js';
import { readWorkspaceList, type Workspace, workspacesRequest } from '../../service/workspaces.js';
import { failedBy, passed, skipped, warned } from '../model/findings.js';
import type { Finding } from '../model/verification.js';
import { stagesLeft } from '../model/verification-names.js';
import type { LinkContext, Stage } from '../transport/context.js';
import { callInFullPackets } from '../transport/full-packets.js';
import { step } from '../transport/path.js';
import { cacheFacts, withSender } from '../transport/sender.js';

const SHOWN = 5;

const CLOSED =
  'the server took no further call on the connection after an answer; the API call was repeated on a new one';

/** Says of an answer that is no HTTP that it is this call's: the service is known to be there. */
function inApiTerms(reason: Reason): Reason {
  return reason === 'http.unexpected-answer' ? 'http.unexpected-answer: API call' : reason;
}

/** Checks that the token opens the API. */
export const workspaces: Stage = async (context) => [
  context.withAuth ? await judge(context) : skipped('workspaces', 'not asked for'),
];

async function judge(context: LinkContext): Promise<Finding> {
  const { run, seen } = context;
  const { primaryPath, token } = seen;
  const called = await step(async () => {
    if (primaryPath === undefined || token === undefined) throw new Error('no token to call with');
    const call = context.callLimits(stagesLeft('workspaces'));
    return await callInFullPackets(primaryPath, workspacesRequest(token.value), call);
  });
  const { elapsedMs } = called;
  if (called.ok && called.value.isRepeated) seen.notes.add(CLOSED);
  if (!called.ok) {
    return withSender(context, failedBy('workspaces', called.error, { elapsedMs }, inApiTerms));
  }
  try {
    const { workspaces: found, totalCount, problems } = readWorkspaceList(called.value);
    const evidence = {
      count: totalCount ?? found.length,
      workspaces: found.slice(0, SHOWN).map(describe).join('; ') || undefined,
    };
    const facts = { elapsedMs, evidence, logId: logIdOf(called.value) };
    if (problems.length > 0) {
      const odd = { ...evidence, problem: problems.join('; ') };
      return warned('workspaces', 'http.odd-answer: API call', { ...facts, evidence: odd });
    }
    if (found.length === 0) return warned('workspaces', 'api.permission: no workspace', facts);
    const ids = otherEnterprises(found, run.options.credentials?.enterpriseId ?? '');
    if (ids.length === 0) return passed('workspaces', facts);
    const others = { ...evidence, others: ids.join(', ') };
    return warned('workspaces', 'api.permission: another enterprise', {
      ...facts,
      evidence: others,
    });
  } catch (error) {
    const evidence = cacheFacts(called.value);
    return withSender(context, failedBy('workspaces', error, { elapsedMs, evidence }));
  }
}

/**
 * The enterprises of the workspaces, where none is the one asked for. The two IDs may be written
 * with and without a prefix.
 */
function otherEnterprises(found: readonly Workspace[], own: string): string[] {
  const ids = [...new Set(found.flatMap(({ enterpriseId }) => enterpriseId || []))];
  const isOwn = (id: string) => own.endsWith(id) || id.endsWith(own);
  return ids.some(isOwn) ? [] : ids.map((id) => safeText(id));
}

function describe({ id = '?', name }: Workspace): string {
  return safeText(name === undefined ? id : `${id} ${name}`).slice(0, 80);
}
