/**
 * Tells whether the alternative names of a certificate cover a host by RFC 9525: one of them is the host, or has
 * a wildcard in place of its first label.
 *
 * @param names as Node.js tells them: `DNS:a.example, DNS:*.b.example`
 */
export function coversName(names: unknown, host: string): boolean {
  const own = host.toLowerCase().replace(/\.$/, '');
  return listNames(names).some((name) =>
    name.startsWith('*.') ? own.replace(/^[^.]+/, '*') === name : own === name,
  );
}

/** Says how the names of a certificate that covers neither come near a host, or the address that was dialled. */
export function relatedName(names: unknown, host: string, address: string): string | undefined {
  const all = listNames(names);
  if (all.includes(`ip address:${address}`)) {
    return `the certificate is for ${address} itself, and not for the name`;
  }
  const above = all.find(
    (name) => /[^*.]\.[^.]/.test(name) && isBelow(host, name.replace(/^\*/, '')),
  );
  return above && `${above} covers ${above.startsWith('*.') ? 'one label' : 'no name below it'}`;
}

function isBelow(host: string, domain: string): boolean {
  return host.toLowerCase().endsWith(domain.startsWith('.') ? domain : `.${domain}`);
}

function listNames(names: unknown): string[] {
  const entries = String(names).split(',');
  return entries.map((entry) => entry.trim().replace(/^DNS:/, '').toLowerCase());
}
