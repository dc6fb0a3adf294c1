import type { Stage } from '../stage.js';
import { address } from './address.js';
import { dns } from './dns.js';
import { http } from './http.js';
import { preflight } from './preflight.js';
import { tcp } from './tcp.js';
import { tls } from './tls.js';
import { token } from './token.js';
import { workspaces } from './workspaces.js';

/** The check of a link, in order. */
export const STAGES: readonly Stage[] = [
  preflight,
  dns,
  address,
  tcp,
  tls,
  http,
  token,
  workspaces,
];
