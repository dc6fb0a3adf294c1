import type { Fault } from './fault.js';

/** Faults that only a check with a chat can see. */
export const CHAT_FAULTS = [
  {
    name: 'chat-permission-missing',
    strikes: 'chat',
    about: 'the application may list workspaces but not chat',
    code: 'chat.permission',
    never: ['api.permission', 'chat.token-rejected'],
  },
  {
    name: 'chat-failed',
    strikes: 'chat',
    about: 'the chat starts and then fails',
    code: 'chat.failed',
    never: ['chat.timeout', 'chat.no-answer'],
  },
  {
    name: 'chat-endless',
    strikes: 'chat',
    about: 'the chat stays in progress',
    code: 'chat.timeout',
    never: ['chat.failed', 'chat.no-answer'],
  },
  {
    name: 'chat-no-answer',
    strikes: 'chat',
    about: 'the chat is completed without an answer',
    code: 'chat.no-answer',
    never: ['chat.failed', 'chat.timeout'],
  },
  {
    name: 'chat-question-listed',
    strikes: 'chat',
    about: "the message list contains the user's question",
    code: 'chat.question-listed',
    never: ['chat.no-answer', 'chat.failed'],
  },
] as const satisfies readonly Fault[];
