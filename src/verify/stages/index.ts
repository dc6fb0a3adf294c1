import type { StageName } from '../model/verification-names.js';
import type { Stage } from '../transport/context.js';
import { address } from './address.js';
import { dns } from './dns.js';
import { http } from './http.js';
import { preflight } from './preflight.js';
import { tcp } from './tcp.js';
import { tls } from './tls.js';
import { token } from './token.js';
import { workspaces } from './workspaces.js';

/** The stages of every check of a link. */
export const STAGES: Readonly<Record<StageName, Stage>> = {
  preflight,
  dns,
  address,
  tcp,
  tls,
  http,
  token,
  workspaces,
};
