import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Codes for chats that do not complete, which the client throws. */
export const CHAT_CODES = codesWithExit(EXIT.chat, {
  'chat.failed': {
    title: 'The chat is not completed',
    cause: 'The service started the chat and then reports that it failed; its reason is given.',
    remedy:
      'Read the service’s reason; check that the agent is published and works in the console.',
    seen: {
      canceled: {
        cause: 'Someone or something canceled the chat before it was completed.',
        remedy: 'Start a new chat.',
      },
      'waiting for the caller': {
        cause:
          'By the vendor’s SDKs, the agent called one of the caller’s tools and is waiting for its output; waiting alone will not complete the chat.',
        remedy: 'Submit the output of the tool, or use an agent that needs none.',
      },
      'not in time': {
        cause: 'The chat was started, but reached no final status before the deadline.',
        remedy: 'Allow more time; if it persists, try the agent in the console.',
        isRetryable: true,
        isOfTime: true,
      },
    },
  },
});
