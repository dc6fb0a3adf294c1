import { EXIT } from './exit-status.js';

/** The meaning of each exit status, for every command that ends with it. */
export const EXIT_MEANINGS: ReadonlyMap<number, readonly string[]> = new Map([
  [0, ['the command did what it was asked; of a check: every link is reachable']],
  [
    1,
    [
      'deploy, destroy: Terraform or the app failed, or the plan was not approved',
      'sandbox demo: a step does not show what it should',
    ],
  ],
  [
    EXIT.usage,
    ['wrong usage, settings, credentials or key: nothing was sent, nothing was changed'],
  ],
  [
    EXIT.needsApproval,
    [
      'review: needs approval',
      'rehearse: a client would notice the change',
      'render --check, addresses: what is in use differs',
    ],
  ],
  [
    EXIT.forbidden,
    [
      'review: forbidden',
      'rehearse: the deploy or what follows it fails',
      'reach: not as expected, or an intent is broken',
      'synth, deploy: the stacks break an intent',
    ],
  ],
  [EXIT.undecided, ['reach: undecided', 'rehearse: what was seen contradicts itself']],
  [EXIT.dns, ['the name of a link does not resolve (stage dns)']],
  [EXIT.address, ['a name resolves to an address that it must not have (stage address)']],
  [EXIT.tcp, ['no connection opens (stage tcp)']],
  [EXIT.tls, ['the certificate is not valid, or the handshake does not end (stage tls)']],
  [EXIT.http, ['the answer is not the service’s (stage http)']],
  [EXIT.token, ['the JWT is not exchanged for a token (stage token)']],
  [EXIT.workspaces, ['the service does not accept the token (stage workspaces)']],
  [EXIT.chat, ['the chat is not answered (stage chat, with --deep)']],
  [
    EXIT.connection,
    ['a private plugin’s connection is not Connected, or its server is not healthy'],
  ],
  [EXIT.clock, ['the clocks of the service and of this machine are more than 60 s apart']],
  [EXIT.deadline, ['the deadline was exceeded, or no check could run at the vantage point']],
  [EXIT.strictWarning, ['everything passed, but with a warning, and --strict was given']],
  [
    EXIT.leftBehind,
    ['an interrupted deploy left something in the cloud, or the cloud cannot be asked'],
  ],
  [EXIT.intentOpen, ['a door that an intent says is closed is open; outranks every other status']],
  [EXIT.bug, ['a bug in this program']],
  [EXIT.output, ['the output was lost: disk full, or its reader gone']],
  [EXIT.interrupted, ['interrupted']],
  [137, ['deploy, destroy: Terraform was killed (128 plus the signal number)']],
  [143, ['deploy, destroy: Terraform was terminated (128 plus the signal number)']],
]);
