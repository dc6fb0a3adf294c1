import { type CodeFacts, EXIT } from './code-facts.js';

/** How a chat can end, other than completed. */
export const CHAT_CODES = {
  'chat.failed': {
    title: 'The chat failed',
    cause: 'The service started the chat and then reports that it failed; its reason is given.',
    remedy:
      'Read the service’s reason; check that the agent is published and works in the console.',
    kind: 'final',
    exit: EXIT.chat,
  },
  'chat.canceled': {
    title: 'The chat was canceled',
    cause: 'Someone or something canceled the chat before it was completed.',
    remedy: 'Start a new chat.',
    kind: 'final',
    exit: EXIT.chat,
  },
  'chat.requires-action': {
    title: 'The chat waits for the caller',
    cause:
      'The agent called a tool of the caller and waits for its output; waiting alone never ends.',
    remedy: 'Submit the output of the tool, or use an agent that needs none.',
    kind: 'final',
    exit: EXIT.chat,
  },
  'chat.timeout': {
    title: 'The chat is not completed in time',
    cause: 'The chat was started, but no final status came before the deadline.',
    remedy: 'Give more time; if it stays, try the agent in the console.',
    kind: 'retryable',
    exit: EXIT.chat,
  },
} as const satisfies Record<string, CodeFacts>;
