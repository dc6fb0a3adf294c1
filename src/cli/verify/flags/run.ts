import { type VantagePoint, vantagePointText } from '../../../link/vantage-point.js';
import { FORMAT_NAMES } from '../write-reports.js';
import {
  asTime,
  asTyped,
  type FlagRow,
  neverRepeated,
  readDuration,
  readFormat,
  readVantagePoint,
  readWholeNumber,
} from './row.js';

/** How long and how deep the check goes, and what becomes of its result. */
export const RUN_FLAGS = {
  runVia: {
    flag: '--run-via <command>',
    about:
      'check from the vantage point that this command reaches, `ssh bastion` or NAME=COMMAND; it needs Node.js, and the key stays here; repeatable',
    variable: 'RUN_VIA',
    read: readVantagePoint,
    isRepeatable: true,
    option: 'runVia',
    shownInReport: (vantagePoints: readonly VantagePoint[]) =>
      vantagePoints.map(vantagePointText).join('; '),
    repeat: (vantagePoints: readonly VantagePoint[] | undefined) =>
      vantagePoints?.map(vantagePointText),
  },
  timeout: {
    flag: '--timeout <duration>',
    about: 'time limit for one attempt, shared by its stages (default: 60s)',
    variable: 'TIMEOUT',
    read: readDuration,
    option: 'timeoutMs',
    shownInReport: (value) => `${value} ms`,
    repeat: asTime,
  },
  wait: {
    flag: '--wait <duration>',
    about: 'keep retrying transient failures for this long (default: 0s)',
    variable: 'WAIT',
    read: readDuration,
    option: 'waitMs',
    shownInReport: (value) => `${value} ms`,
    repeat: asTime,
  },
  settle: {
    flag: '--settle <n>',
    about: 'require this many passes in a row (default: 1)',
    variable: 'SETTLE',
    read: readWholeNumber,
    option: 'settle',
    shownInReport: true,
    repeat: asTyped,
  },
  baseline: {
    flag: '--baseline <file>',
    about: 'report what has changed since this report, JSON or JSON lines',
    variable: 'BASELINE',
    repeat: neverRepeated,
  },
  deep: {
    flag: '--deep',
    about:
      'also chat with an agent; the chat stays in the history of the given user; needs --bot-id and --user-id',
    repeat: asTyped,
  },
  botId: {
    flag: '--bot-id <id>',
    about: 'ID of the agent to chat with',
    variable: 'BOT_ID',
    option: 'chat.botId',
    shownInReport: true,
    repeat: asTyped,
    needs: 'deep',
  },
  userId: {
    flag: '--user-id <id>',
    about: 'your own ID for the user who chats',
    variable: 'USER_ID',
    option: 'chat.userId',
    repeat: asTyped,
    needs: 'deep',
  },
  question: {
    flag: '--question <text>',
    about: 'the question for the agent (default: ping)',
    variable: 'QUESTION',
    option: 'chat.question',
    repeat: asTyped,
    needs: 'deep',
  },
  retrieveChatPath: {
    flag: '--retrieve-chat-path <path>',
    about: 'path of retrieve-chat (default: /v3/chat/retrieve)',
    variable: 'RETRIEVE_CHAT_PATH',
    option: 'chat.retrievePath',
    repeat: asTyped,
    needs: 'deep',
  },
  retrieveChatMethod: {
    flag: '--retrieve-chat-method <method>',
    about: 'method of retrieve-chat (default: GET)',
    variable: 'RETRIEVE_CHAT_METHOD',
    choices: ['GET', 'POST'],
    option: 'chat.retrieveMethod',
    repeat: asTyped,
    needs: 'deep',
  },
  strict: {
    flag: '--strict',
    about: 'exit 21 when there is a warning',
    repeat: neverRepeated,
  },
  reportOnly: {
    flag: '--report-only',
    about: 'exit 0 whatever the verdict',
    repeat: neverRepeated,
  },
  title: {
    flag: '--title <text>',
    about: 'title of the report',
    option: 'title',
    repeat: neverRepeated,
  },
  verbose: {
    flag: '--verbose',
    about:
      'also print settings, versions, connect-to rules, the access digest and everything the stages observed',
    repeat: asTyped,
  },
  format: {
    flag: '--format <format>',
    about: `${FORMAT_NAMES.join(', ')}: to standard output, or to a file with =FILE; repeatable (default: text)`,
    read: readFormat,
    isRepeatable: true,
    repeat: neverRepeated,
  },
} as const satisfies Readonly<Record<string, FlagRow>>;
