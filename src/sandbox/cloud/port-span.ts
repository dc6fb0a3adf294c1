/** A port or a range of them as the firewall writes it: `443` or `80/90`. Undefined where it is none. */
export function portSpan(text: string): readonly [first: number, last: number] | undefined {
  const [, first, last] = /^(\d{1,5})(?:\/(\d{1,5}))?$/.exec(text) ?? [];
  if (first === undefined) return undefined;
  const span = [Number(first), Number(last ?? first)] as const;
  return span[0] >= 1 && span[0] <= span[1] && span[1] <= 65_535 ? span : undefined;
}
