/** The exit statuses of every command. A check ends with that of its failure; of several, with the lowest. */
export const EXIT = {
  usage: 2,
  preflight: 2,
  /** Of a review. */
  needsApproval: 3,
  /**
   * Differences between the rules in use and the rendered ones, or between DNS and the address
   * list.
   */
  differs: 3,
  forbidden: 4,
  /** No verdict: what was seen contradicts itself, or a question cannot be decided. */
  undecided: 5,
  dns: 10,
  address: 11,
  tcp: 12,
  tls: 13,
  http: 14,
  token: 15,
  workspaces: 16,
  chat: 17,
  connection: 18,
  clock: 19,
  deadline: 20,
  strictWarning: 21,
  leftBehind: 22,
  /** A door that must be closed is open: it outranks every other status of a check. */
  intentOpen: 23,
  bug: 70,
  output: 74,
  interrupted: 130,
} as const;
