import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Codes for the service's own refusals of a JWT, a token or a call. */
export const SERVICE_CODES = {
  ...codesWithExit(EXIT.token, {
    'token.region': {
      title: 'The API host belongs to another region',
      cause:
        'By the service’s public pages, an application, its keys and its tokens belong to the region or site that they were created in.',
      remedy: 'Check that the API host, the base URL and the console belong to the same region.',
      seen: {
        audience: {
          title: 'The audience of the JWT is not the API host of the service',
          cause:
            'The given API host, which the JWT names as its audience (`aud`), is not that of the service; often it was taken from the base URL.',
          remedy:
            'Set the API host (`apiHost`, --api-host) to the service’s public API host, whichever host the base URL has.',
        },
      },
    },
    'token.key-pair': {
      title: 'The key ID and the private key are not a pair of this application',
      cause:
        'The key ID is not the fingerprint of the public key, the key was deleted, or the private key is a different one.',
      remedy:
        'Copy the fingerprint from the application’s edit page; if in doubt, create a new key pair.',
      inspect: 'the public keys on the application’s edit page',
      seen: {
        'another fingerprint': {
          title: 'The key ID may belong to another key',
          cause:
            'The key ID has the form of a fingerprint, and is none of this key in a common form (SHA-256, SHA-1 or MD5 of SPKI, PKCS#1, OpenSSH or JWK).',
          remedy:
            'Compare it with the application’s edit page, and use the private key that belongs to it; if the page shows just this one for the key, ignore the warning.',
          exit: EXIT.strictWarning,
        },
        'another app': {
          cause: 'The key is registered, but for another application.',
          remedy: 'Copy the application ID from the page that shows the key’s fingerprint.',
        },
      },
    },
    'token.enterprise': {
      title: 'The enterprise ID is wrong',
      cause:
        'The enterprise ID, which is part of the path of the token call, is not that of the application’s enterprise.',
      remedy: 'Copy the enterprise ID from the organization settings.',
    },
    'token.invalid-client': {
      title: 'The service rejects the JWT',
      cause:
        'The key ID, private key, application ID and audience do not belong together, the time of the JWT is wrong by the server’s clock, or, by the service’s public pages, the API host belongs to another region.',
      remedy:
        'Read the service’s message; check that the key ID and the private key are a pair of this application, then the API host and its region.',
      isRefusal: true,
      seen: {
        'unknown key ID': {
          title: 'The service does not know the key ID',
          cause:
            'The key ID is not the fingerprint of the public key, the key was deleted, or, by the service’s public pages, the API host belongs to another region.',
          remedy:
            'Copy the fingerprint from the application’s edit page; if it is the same, check the API host and its region.',
        },
      },
    },
    'token.application': {
      title: 'The service gives this application no token',
      cause: 'The service refuses this application; its message may give the reason.',
      remedy:
        'Enable the application in the console; if it is enabled, read the service’s message and check the type and the authorization of the application.',
      isRefusal: true,
      seen: {
        deactivated: {
          cause: 'The owner has deactivated the OAuth application.',
          remedy: 'Enable the application in the console.',
        },
        'wrong type': {
          cause: 'The service says that the type of the OAuth application is wrong.',
          remedy: 'Use an application of type enterprise privileged app.',
        },
        'login session': {
          cause: 'The service says that a login state is invalid.',
          remedy: 'Log in to the console again.',
        },
        'grant type': {
          cause:
            'The server does not support the JWT grant: it may be a different version or a different product.',
          remedy: 'Check the base URL and that the application is an enterprise privileged app.',
        },
      },
    },
  }),
  ...codesWithExit(EXIT.workspaces, {
    'api.token-rejected': {
      title: 'The API rejects the token',
      cause:
        'The token is not accepted: it has expired, or, by the service’s public pages, it belongs to another region.',
      remedy: 'Check that the token call and the API call go to the same region.',
      isRefusal: true,
      seen: {
        'expired when issued': {
          cause:
            'The time in `expires_in` was over when the token came, by the clocks of the server and of this machine, and the API does not accept the token.',
          remedy:
            'Quote the log id to the service’s support; if a gateway in between keeps answers, have it pass the token call on.',
        },
      },
    },
    'api.permission': {
      title: 'A permission or an authorization is missing',
      cause:
        'The application was not given the permission, or its authorization was not confirmed.',
      remedy:
        'Give the application the permission that the call needs, and confirm its authorization in the console: `chat` and `listMessage` for messages; by the service’s public pages, `listWorkspace` for workspaces and `getChat` for the state of a chat.',
      isRefusal: true,
      seen: {
        'no workspace': {
          title: 'No workspace is visible',
          cause: 'The API works, but the application sees no workspace.',
          remedy: 'Authorize the application for the workspaces that it should see.',
          exit: EXIT.strictWarning,
        },
        'another enterprise': {
          title: 'Only workspaces of another enterprise are visible',
          cause:
            'Every workspace that the token sees belongs to a different enterprise ID from the one given.',
          remedy: 'Check the enterprise ID, and what the application is authorized for.',
          exit: EXIT.strictWarning,
        },
      },
    },
    'api.invalid-request': {
      title: 'The service rejects the request',
      cause: 'A parameter of the API call is wrong; the service names it.',
      remedy: 'Correct the parameter that the service’s message names.',
      seen: {
        'token call': {
          cause: 'A parameter of the token request is wrong; the service’s message names it.',
          remedy: 'Read the service’s message; check the enterprise ID and the requested duration.',
          exit: EXIT.token,
          isRefusal: true,
        },
      },
    },
    'api.not-found': {
      title: 'The service does not find what is asked for',
      cause:
        'The ID is wrong, belongs to another session or enterprise, or was not kept by the service.',
      remedy: 'Check the ID, and that the token and the ID belong to the same session.',
      seen: {
        'call without ID': {
          cause:
            'The service answers "not found" although the call contains no ID: something on the path rewrites request paths, or the API has a different version.',
          remedy:
            'Check the base URL and gateways that rewrite paths; quote the log id to the service’s support.',
        },
        'token call': {
          cause:
            'The token call ends with HTTP 404, whose meaning the specification does not show. The enterprise ID is part of the path of the call.',
          remedy:
            'Check the enterprise ID (organization settings) and the type of the application.',
          isRefusal: true,
        },
      },
    },
    'api.unknown-error': {
      title: 'The call fails for an unknown reason',
      cause: 'The service answers with an unrecognized error code.',
      remedy: 'Read the service’s message; quote it and the log id to the service’s support.',
      seen: { 'token call': { exit: EXIT.token } },
    },
  }),
};
