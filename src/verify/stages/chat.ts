import type { Code } from '../../codes/codes.js';
import { type ChatMessage, isAnswerComplete } from '../../service/chat/chat.js';
import { startChat } from '../../service/chat/chat-start.js';
import {
  ChatError,
  listMessages,
  type MessageList,
  waitForChat,
} from '../../service/chat/follow-chat.js';
import { toAbortSignal } from '../../service/http/limits.js';
import {
  countEach,
  failed,
  failedBy,
  type LooseEvidence,
  passed,
  skipped,
} from '../model/findings.js';
import type { ChatOptions } from '../model/options.js';
import type { Finding } from '../model/verification.js';
import { callLimits, type LinkContext, type Stage } from '../transport/context.js';
import { step } from '../transport/path.js';
import { withSender } from '../transport/sender.js';

const CHAT_TERMS: Partial<Record<Code, Code>> = {
  'api.permission': 'chat.permission',
  'api.token-rejected': 'chat.token-rejected',
  'api.unexpected-answer': 'chat.unexpected-answer',
  'http.unexpected-answer': 'chat.unexpected-answer',
  'api.rate-limited': 'chat.rate-limited',
  'api.server-error': 'chat.server-error',
  'http.server-error': 'chat.server-error',
  'http.timeout': 'chat.call-lost',
  'http.reset': 'chat.call-lost',
};

/** Codes that mean the same for a chat as for any other call. */
const AS_THEY_ARE: readonly Code[] = [
  'http.redirect',
  'http.captive-portal',
  'http.request-timeout',
  'http.proxy-login',
  'http.misdirected',
  'http.cut-short',
  'http.malformed',
  'http.too-long',
];

/** Checks that an agent answers: starts a chat, waits for it and reads its messages. */
export const chat: Stage = async (context) => {
  const { chat: options } = context.run.options;
  if (!context.withAuth || options === undefined) return [skipped('chat', 'not asked for')];
  return [await judge(context, options)];
};

interface Seen {
  chatId?: string;
  status?: string;
  polls: number;
}

async function judge(context: LinkContext, options: ChatOptions): Promise<Finding> {
  const seen: Seen = { polls: 0 };
  const held = await step(() => hold(context, options, seen));
  const evidence: LooseEvidence = { chatId: seen.chatId, status: seen.status, polls: seen.polls };
  const facts = { elapsedMs: held.elapsedMs, evidence };
  if (!held.ok) return withSender(context, failedChat(held.error, facts));
  const { messages, logId } = held.value;
  const all = { ...facts, logId, evidence: { ...evidence, ...describe(messages) } };
  if (messages.some(({ type }) => type === 'question')) {
    return failed('chat', 'chat.question-listed', all);
  }
  return messages.some(isAnswer) ? passed('chat', all) : failed('chat', 'chat.no-answer', all);
}

async function hold(context: LinkContext, options: ChatOptions, seen: Seen): Promise<MessageList> {
  const { primaryPath, token } = context.seen;
  if (primaryPath === undefined || token === undefined) throw new Error('no token to chat with');
  const { connection } = primaryPath;
  const { botId, userId, question = 'ping', retrieveMethod, retrievePath } = options;
  const messages = [{ role: 'user', type: 'question', content: question }] as const;
  // A chat that is not saved cannot be retrieved afterwards.
  const start = { botId, userId, messages, autoSaveHistory: true };
  const started = await startChat(connection, token.value, start, callLimits(context, 4));
  seen.chatId = started.id;
  await waitForChat(connection, token.value, started, {
    signal: toAbortSignal(context.signal),
    timeoutMs: context.leftMs(0.8),
    ...(retrieveMethod && { method: retrieveMethod }),
    ...(retrievePath && { path: retrievePath }),
    onPoll: ({ status }) => {
      seen.polls += 1;
      if (status !== undefined) seen.status = status;
    },
  });
  return await listMessages(connection, token.value, started, callLimits(context, 1));
}

function failedChat(
  error: unknown,
  facts: { readonly elapsedMs: number; readonly evidence: LooseEvidence },
): Finding {
  if (error instanceof ChatError) {
    const { code, message = undefined } = error.chat?.lastError ?? {};
    const evidence = { ...facts.evidence, serviceCode: code, serviceMessage: message };
    return failed('chat', error.code, { ...facts, evidence, logId: error.chat?.logId });
  }
  return failedBy('chat', error, facts, inChatTerms);
}

/** Translates a code: the network is known to be good, so the chat fails. */
function inChatTerms(code: Code): Code {
  const own = CHAT_TERMS[code];
  if (own !== undefined || AS_THEY_ARE.includes(code)) return own ?? code;
  return /^(api|http)\./.test(code) ? 'chat.unknown-error' : code;
}

function isAnswer({ type, content = '' }: ChatMessage): boolean {
  return type === 'answer' && content.trim() !== '';
}

/** Counts the messages by type; their content is not reported. */
function describe(messages: readonly ChatMessage[]): LooseEvidence {
  const types = messages.map((one) =>
    one.type === 'unknown' ? one.serviceType || 'none' : one.type,
  );
  return {
    messages: messages.length,
    answers: messages.filter(isAnswer).length,
    // By the specification, a list has no such mark; without it nothing is known.
    answersComplete: messages.some(isAnswerComplete) || undefined,
    types: countEach(types),
  };
}
