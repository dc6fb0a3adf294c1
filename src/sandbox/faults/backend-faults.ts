import type { Fault, ListenerKind } from './fault.js';

/** Faults of the servers that the load balancer of a private plugin calls. */
export const BACKEND_FAULTS = [
  {
    name: 'backend-refused',
    only: 'private-plugin',
    strikes: 'backend',
    listener: 'refusing',
    about: "nothing listens on the port of the plugin's servers",
    code: 'backend.refused',
    never: ['backend.silent', 'backend.not-http', 'backend.unhealthy'],
  },
  {
    name: 'backend-silent',
    only: 'private-plugin',
    strikes: 'backend',
    listener: 'silent',
    about: "the plugin's servers accept connections but never answer",
    code: 'backend.silent',
    never: ['backend.refused', 'backend.not-http', 'backend.unhealthy'],
  },
  {
    name: 'backend-not-http',
    only: 'private-plugin',
    strikes: 'backend',
    listener: 'https',
    about: "the plugin's servers speak TLS behind an HTTP listener",
    code: 'backend.not-http',
    never: ['backend.refused', 'backend.silent', 'backend.unhealthy'],
  },
  {
    name: 'backend-unhealthy',
    only: 'private-plugin',
    strikes: 'backend',
    listener: 'http',
    about: "the plugin's servers answer the health check with an error",
    code: 'backend.unhealthy',
    never: ['backend.refused', 'backend.silent', 'backend.not-http'],
  },
] as const satisfies readonly Fault[];

/** What listens in place of a plugin's servers. @returns undefined where they are well */
export function backendListener(faults: ReadonlySet<string>): ListenerKind | undefined {
  return BACKEND_FAULTS.find(({ name }) => faults.has(name))?.listener;
}
