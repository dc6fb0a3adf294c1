import { address } from './address.js';
import { dns } from './dns.js';
import { http } from './http.js';
import { preflight } from './preflight.js';
import type { StageRunner } from './stage-runner.js';
import { tcp } from './tcp.js';
import { tls } from './tls.js';
import { token } from './token.js';
import { workspaces } from './workspaces.js';

/** What every check of a link consists of, in order. */
const STAGES: readonly StageRunner[] = [preflight, dns, address, tcp, tls, http, token, workspaces];

/** Loaded only where it is asked for. */
const chat: StageRunner = {
  name: 'chat',
  run: async (context) => (await import('./chat.js')).chat.run(context),
};

export function stagesFor({ chat: asked }: { readonly chat?: unknown }): readonly StageRunner[] {
  return asked === undefined ? STAGES : [...STAGES, chat];
}
