import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Codes for chats that do not complete, and for the findings of their check. */
export const CHAT_CODES = codesWithExit(EXIT.chat, {
  'chat.permission': {
    title: 'The token lacks the chat permission',
    cause:
      'The application lacks the permission that the call needs, or the permission was not authorized.',
    remedy:
      'Give the application the permissions `chat` and `listMessage` and, by the service’s public pages, `getChat`, and confirm its authorization.',
    isRefusal: true,
  },
  'chat.token-rejected': {
    title: 'The chat API rejects the token',
    cause: 'The token opened the workspaces call but not this one.',
    remedy:
      'Check that the agent belongs to the same enterprise and, by the service’s public pages, the same region as the application.',
    isRefusal: true,
  },
  'chat.rate-limited': {
    title: 'Too many chat requests',
    cause:
      'A gateway in front of the service, or the service, limits how often the chat API may be called.',
    remedy: 'Wait and try again.',
    isRetryable: true,
  },
  'chat.server-error': {
    title: 'The chat API reports an error of its own',
    cause: 'The service or a gateway answers with a 5xx status.',
    remedy: 'Try again later; if it persists, quote the log id to the service’s support.',
    isRetryable: true,
  },
  'chat.call-lost': {
    title: 'A chat call gets no answer',
    cause: 'No complete answer to the call came.',
    remedy: 'Try again later; if it persists, look for a gateway that closes connections.',
    isRetryable: true,
    isOfTime: true,
  },
  'chat.unexpected-answer': {
    title: 'The response to a chat call has an unexpected format',
    cause:
      'The response is not in the service’s JSON format, or lacks what was asked for. TLS shows only who holds the certificate; over plain HTTP, or where an added authority is trusted, nothing shows who answers.',
    remedy:
      'Read the body in the evidence, which often says who sent it; have the call allowed there, or quote the log id to the service’s support.',
  },
  'chat.no-answer': {
    title: 'The chat has no answer',
    cause: 'The chat completed, but its messages contain no `answer` with content.',
    remedy: 'Check the agent: it may be unpublished or have nothing to say.',
  },
  'chat.question-listed': {
    title: 'The message list contains the question',
    cause: 'The messages of a chat must not contain the user’s question: a different API answered.',
    remedy: 'Check the base URL, and what is between here and the service.',
  },
  'chat.unknown-error': {
    title: 'A chat call fails for an unknown reason',
    cause: 'The service answers with an unrecognized error code.',
    remedy: 'Read the service’s message; quote it and the log id to the service’s support.',
  },
  'chat.failed': {
    title: 'The chat failed',
    cause: 'The service started the chat and then reports that it failed; its reason is given.',
    remedy:
      'Read the service’s reason; check that the agent is published and works in the console.',
  },
  'chat.canceled': {
    title: 'The chat was canceled',
    cause: 'Someone or something canceled the chat before it was completed.',
    remedy: 'Start a new chat.',
  },
  'chat.requires-action': {
    title: 'The chat is waiting for the caller',
    cause:
      'By the vendor’s SDKs, the agent called one of the caller’s tools and is waiting for its output; waiting alone will not complete the chat.',
    remedy: 'Submit the output of the tool, or use an agent that needs none.',
  },
  'chat.timeout': {
    title: 'The chat did not complete in time',
    cause: 'The chat was started, but reached no final status before the deadline.',
    remedy: 'Allow more time; if it persists, try the agent in the console.',
    isRetryable: true,
    isOfTime: true,
  },
});
