import type { FaultName } from '../faults.js';
import type { Application } from './application.js';
import type { ChatStore } from './chat-store.js';
import type { TokenStore } from './token-store.js';

/** What the service's endpoints work with. */
export interface ServiceContext {
  readonly apiHost: string;
  readonly enterpriseId: string;
  readonly tokens: TokenStore;
  readonly chats: ChatStore;
  readonly faults: () => ReadonlySet<FaultName>;
  readonly application: () => Application;
  /** The service's own clock: Unix time in milliseconds. */
  readonly now: () => number;
}
