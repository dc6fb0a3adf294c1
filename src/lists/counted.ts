/** Writes how many there are: `1 link`, `2 links`. */
export function counted(count: number | string, one: string, many = `${one}s`): string {
  return `${count} ${Number(count) === 1 ? one : many}`;
}
