import type { LinkContext } from '../context.js';
import { type ProxyTarget, readProxy } from './proxy.js';

type CallContext = Pick<LinkContext, 'run' | 'host' | 'isPlain'>;

/** Describes proxies for a reader: the one that was used, or the environment's, which is not. */
export function proxyNotes({
  proxy,
  ...context
}: CallContext & Pick<LinkContext, 'proxy'>): string[] {
  if (proxy !== undefined) return [`through the proxy ${proxy.shown}`];
  const variable = findVariable(context);
  if (variable === undefined) return [];
  const shown = readProxy(variable.value)?.shown ?? 'something that is no http proxy';
  const entry = exemptingEntry(context);
  return [
    `${variable.name} names ${shown}; this check goes directly`,
    ...(entry === undefined ? [] : [`${entry.name} exempts this host by "${entry.value}"`]),
  ];
}

/** Finds the proxy that the environment names for a host; undefined where it exempts the host. */
export function environmentProxy(context: CallContext): ProxyTarget | undefined {
  const variable = findVariable(context);
  if (variable === undefined || exemptingEntry(context) !== undefined) return undefined;
  return readProxy(variable.value);
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

function findVariable({ run, isPlain }: CallContext): Variable | undefined {
  return variables(run, isPlain ? 'http_proxy' : 'https_proxy', 'all_proxy')[0];
}

/** Those of the named variables that are set, in lower or upper case. */
function variables({ options }: LinkContext['run'], ...names: readonly string[]): Variable[] {
  return names
    .flatMap((name) => [name, name.toUpperCase()])
    .flatMap((name) => {
      const value = options.environment?.[name];
      return value ? [{ name, value }] : [];
    });
}

/** Finds the entry of NO_PROXY by which every client goes directly: the host, a `.domain` above it, or `*` alone. */
function exemptingEntry({ run, host }: CallContext): Variable | undefined {
  const [variable] = variables(run, 'no_proxy');
  const entries = (variable?.value ?? '').split(',').map((text) => text.trim().toLowerCase());
  const exempting = entries.find(
    (entry) =>
      entry === host ||
      (entry.startsWith('.') && host.endsWith(entry)) ||
      (entry === '*' && entries.length === 1),
  );
  return variable && exempting ? { name: variable.name, value: exempting } : undefined;
}
