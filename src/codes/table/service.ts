import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/**
 * Codes for the service's own refusals of a JWT, a token or a call, for chats that do not complete, and for the
 * connection over which it calls a private plugin, with what is behind it.
 */
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
            'The key ID is the name of a file that holds a key, or a fingerprint that this key has in no common form (SHA-256, SHA-1 or MD5 of SPKI, PKCS#1, OpenSSH or JWK).',
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
  ...codesWithExit(EXIT.chat, {
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
  }),
  ...codesWithExit(EXIT.connection, {
    'connection.pending': {
      title: 'The private connection is awaiting acceptance',
      cause: 'The service’s endpoint requested the connection, and it has not been accepted yet.',
      remedy: 'Add the endpoint’s id to `acceptedEndpointIds` and deploy again.',
      seen: {
        'not requested': {
          title: 'There is no private connection',
          cause:
            'The service has no endpoint that has requested a connection to the endpoint service.',
          remedy:
            'Add a private connection in the service’s console with the id of the endpoint service, then accept it.',
        },
      },
    },
    'connection.lost': {
      title: 'The private connection is refused or has failed',
      cause:
        'The connection was rejected or cut, so that plugins that use it fail; the endpoint service does not exist or does not permit the service’s account; or it had nothing to serve the endpoint. The status or the message says which.',
      remedy:
        'Check the id of the endpoint service, its allow-list, which needs the service’s account, and the load balancer behind it; then delete the private connection in the service’s console, add it again with the same service id, and accept the new endpoint.',
    },
    'backend.unhealthy': {
      title: 'The plugin’s server does not answer as its load balancer needs',
      cause:
        'The load balancer sends calls only to servers that answer `healthCheckPath` with 2xx in plain HTTP, or, by TCP, that accept a connection. What was seen says how this one fails; a call may also be stopped before it, by a missing listener, a listener ACL or an ingress rule.',
      remedy:
        'Refused: start the backend on the port that `servers` names, or correct the port or the firewall. No answer: it hangs, or its health check waits for something. Another status: fix it, or choose a path that a healthy backend answers with 2xx. No HTTP: have it speak plain HTTP on that port, or choose the protocol TCP, which passes TLS through; one that closes without an answer may expect TLS or a header of the PROXY protocol, and its log tells. Traffic over a private connection arrives from 100.64.0.0/10.',
      isRetryable: true,
    },
  }),
};
