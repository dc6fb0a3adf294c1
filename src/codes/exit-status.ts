/** The exit statuses by name, each with its meaning where no name before it has the same status. */
const ROWS = {
  usage: [2, 'wrong usage, settings, credentials or key: nothing was sent, nothing was changed'],
  preflight: [2],
  needsApproval: [
    3,
    'review: needs approval',
    'rehearse: a client would notice the change',
    'addresses: what is in use differs',
  ],
  differs: [3],
  forbidden: [
    4,
    'review: forbidden',
    'rehearse: the deploy or what follows it fails',
    'reach: not as expected, or an intent is broken',
    'synth, deploy: the stacks break an intent',
  ],
  undecided: [
    5,
    'reach: undecided',
    'rehearse: no verdict, for the sandbox failed or does not emulate what the deploy asks for',
  ],
  dns: [10, 'the name of a link does not resolve (stage dns)'],
  address: [11, 'a name resolves to an address that it must not have (stage address)'],
  tcp: [12, 'no connection opens (stage tcp)'],
  tls: [13, 'the certificate is not valid, or the handshake does not end (stage tls)'],
  http: [14, 'the answer is not the service’s (stage http)'],
  token: [15, 'the JWT is not exchanged for a token (stage token)'],
  workspaces: [16, 'the service does not accept the token (stage workspaces)'],
  chat: [17, 'a program with the client of `/service`: a chat was not completed'],
  connection: [18, 'a private plugin’s connection is not Connected, or its server is not healthy'],
  clock: [19, 'the clocks of the service and of this machine are more than 60 s apart'],
  deadline: [
    20,
    'the deadline was exceeded, or no check could run at the vantage point',
    'verify: it was not shown that a link is closed from a vantage point',
    'verify --from: the results are too old, or do not show everything',
  ],
  strictWarning: [21, 'everything passed, but with a warning, and --strict was given'],
  leftBehind: [
    22,
    'an interrupted deploy left something in the cloud, or the cloud cannot be asked',
    'ready --measure: the cloud refused something, or something is left',
  ],
  doorOpen: [
    23,
    'a vantage point that is expected to be closed reached a link; outranks every other status',
  ],
  bug: [70, 'a bug in this program'],
  output: [74, 'the output was lost: disk full, or its reader gone'],
  interrupted: [130, 'interrupted'],
} as const satisfies Record<string, readonly [status: number, ...meanings: string[]]>;

type Rows = typeof ROWS;

/** The exit statuses of every command. A check ends with that of its failure; of several, with the lowest. */
export const EXIT = Object.fromEntries(
  Object.entries(ROWS).map(([name, [status]]) => [name, status]),
) as { readonly [Name in keyof Rows]: Rows[Name][0] };

/** The meanings of each exit status, for every command that ends with it. */
export const EXIT_MEANINGS: ReadonlyMap<number, readonly string[]> = new Map<
  number,
  readonly string[]
>([
  [0, ['the command did what it was asked; of a check: every link is reachable']],
  [
    1,
    [
      'deploy, destroy: Terraform or the app failed, or the plan was not approved',
      'ready --measure: it was not approved',
      'sandbox demo: a step does not show what it should',
    ],
  ],
  ...Object.values<readonly [number, ...string[]]>(ROWS)
    .filter(({ length }) => length > 1)
    .map(([status, ...meanings]) => [status, meanings] as const),
  ...Object.entries({ killed: 137, terminated: 143 }).map(
    ([ended, status]) =>
      [
        status,
        [
          `deploy, destroy: Terraform was ${ended} (128 plus the signal number)`,
          `any command: the program itself was ${ended} from outside`,
        ],
      ] as const,
  ),
]);
