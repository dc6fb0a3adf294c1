/** Writes rows of a table as lines: two spaces between columns, each as wide as its widest cell. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  const pad = (cell: string, i: number) => cell.padEnd(widths[i] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd());
}
