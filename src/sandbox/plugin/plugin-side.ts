import type { Cloud } from '../cloud/cloud.js';
import { type Listener, LOOPBACK } from '../listen.js';
import type { Stoppables } from '../stoppables.js';
import type { World } from '../world.js';
import { startConsole } from './console.js';
import { startEchoBackend } from './echo-backend.js';

/** Starts what calls plugins, and a backend that takes the calls where no other is named. */
export async function startPluginSide(
  cloud: Cloud,
  world: () => World,
  parts: Stoppables,
): Promise<{ readonly console: Listener; readonly backend: Listener }> {
  const backend = parts.keep(await startEchoBackend());
  const facts = { cloud, world, backend: `${LOOPBACK}:${backend.port}` };
  return { backend, console: parts.keep(await startConsole(facts)) };
}
