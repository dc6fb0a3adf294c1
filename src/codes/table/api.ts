import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Codes for answers to a call of the API, from the service or something in its place. */
export const API_CODES = codesWithExit(EXIT.workspaces, {
  'api.token-rejected': {
    title: 'The API rejects the token',
    cause:
      'The token is not accepted: it has expired, or, by the service’s public pages, it belongs to another region.',
    remedy: 'Check that the token call and the API call go to the same region.',
    isRefusal: true,
  },
  'api.permission': {
    title: 'The token lacks a permission',
    cause: 'The application was not given the permission, or its authorization was not confirmed.',
    remedy:
      'Give the application the permission that the call needs, and confirm its authorization in the console: `chat` and `listMessage` for messages; by the service’s public pages, `listWorkspace` for workspaces and `getChat` for the state of a chat.',
    isRefusal: true,
  },
  'api.rate-limited': {
    title: 'Too many API requests',
    cause:
      'A gateway in front of the service, or the service, limits how often the API may be called.',
    remedy: 'Wait and try again.',
    isRetryable: true,
  },
  'api.invalid-request': {
    title: 'The API rejects the request',
    cause: 'A parameter of the API call is wrong; the service names it.',
    remedy: 'Correct the parameter that the service’s message names.',
  },
  'api.not-found': {
    title: 'The API does not find the requested object',
    cause:
      'The ID is wrong, belongs to another session or enterprise, or was not kept by the service.',
    remedy: 'Check the ID, and that the token and the ID belong to the same session.',
  },
  'api.path-not-found': {
    title: 'The API does not know the call',
    cause:
      'The service answers "not found" although the call contains no ID: something on the path rewrites request paths, or the API has a different version.',
    remedy:
      'Check the base URL and gateways that rewrite paths; quote the log id to the service’s support.',
  },
  'api.unexpected-answer': {
    title: 'The API’s response has an unexpected format',
    cause:
      'The response is not in the service’s JSON format, or lacks what was asked for. The evidence says how it differs, and in `sender` who sent it, as far as TLS shows that.',
    remedy:
      'Read the body in the evidence, which often says who sent it; have the call allowed there, or quote the log id to the service’s support.',
  },
  'api.odd-answer': {
    title: 'The API’s response has an unusual format',
    cause:
      'The service accepts the token and reports success, but the response is not what this check knows; the specification does not show the format of the workspace list.',
    remedy:
      'The link works. If your clients read the workspace list, compare what they expect with the evidence.',
    exit: EXIT.strictWarning,
  },
  'api.server-error': {
    title: 'The API reports an error of its own',
    cause: 'The service or a gateway answers with a 5xx status.',
    remedy: 'Try again later; if it persists, quote the log id to the service’s support.',
    isRetryable: true,
  },
  'api.timeout': {
    title: 'The API call gets no answer',
    cause: 'The token call worked, but no complete answer to the API call came in time.',
    remedy:
      'Try again later; if it persists, quote the time and the log id of the token call to the service’s support.',
    isRetryable: true,
    isOfTime: true,
  },
  'api.reset': {
    title: 'The connection is cut off during the API call',
    cause: 'The token call worked, but the connection was closed during the API call.',
    remedy:
      'Try again later; if it persists, quote the time and the log id of the token call to the service’s support.',
    isRetryable: true,
    isOfTime: true,
  },
  'api.no-workspaces': {
    title: 'No workspace is visible',
    cause: 'The API works, but the application sees no workspace.',
    remedy: 'Authorize the application for the workspaces that it should see.',
    exit: EXIT.strictWarning,
  },
  'api.other-enterprise': {
    title: 'Only workspaces of another enterprise are visible',
    cause:
      'Every workspace that the token sees belongs to a different enterprise ID from the one given.',
    remedy: 'Check the enterprise ID, and what the application is authorized for.',
    exit: EXIT.strictWarning,
  },
  'api.unknown-error': {
    title: 'The API call fails for an unknown reason',
    cause: 'The service answers with an unrecognized error code.',
    remedy: 'Read the service’s message; quote it and the log id to the service’s support.',
  },
});
