/** Writes how many there are: `1 link`, `2 links`. */
export function counted(count: number | string, one: string, many = `${one}s`): string {
  return `${count} ${Number(count) === 1 ? one : many}`;
}

/** Names so many at most, and counts the others: `a, b and 2 more`. @param more the word for one of them */
export function nameSome(names: readonly string[], most: number, more?: string): string {
  const others = names.length - most;
  const rest = more === undefined ? `${others} more` : counted(others, more);
  return `${names.slice(0, most).join(', ')}${others > 0 ? ` and ${rest}` : ''}`;
}
