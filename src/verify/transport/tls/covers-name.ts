/**
 * Tells whether the alternative names of a certificate cover a host by RFC 9525: one of them is the host, or has
 * a wildcard in place of its first label.
 *
 * @param names as Node.js tells them: `DNS:a.example, DNS:*.b.example`
 */
export function coversName(names: unknown, host: string): boolean {
  const own = host.toLowerCase().replace(/\.$/, '');
  return String(names)
    .split(',')
    .some((entry) => {
      const name = entry.trim().replace(/^DNS:/, '').toLowerCase();
      return name.startsWith('*.') ? own.replace(/^[^.]+/, '*') === name : own === name;
    });
}
