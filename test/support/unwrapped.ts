/** A report for people without the breaks that its width asks for. */
export function unwrapped(text: string): string {
  return text.replace(/\n {9,}(?=\S)/g, ' ');
}
