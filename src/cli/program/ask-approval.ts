import { createInterface } from 'node:readline/promises';
import type { Interrupts } from './signals.js';

/** Asks whether to do something. Only `yes` approves; the end of the input does not. */
export async function askApproval(question: string, interrupts: Interrupts): Promise<boolean> {
  // Without a terminal of its own, so that Ctrl-C is a signal here as anywhere else.
  const reader = createInterface({ input: process.stdin, terminal: false });
  const aborter = new AbortController();
  const forget = interrupts.forward(() => aborter.abort());
  reader.once('close', () => aborter.abort());
  process.stdout.write(`\n${question}\n  Only 'yes' approves.\n\n  Enter a value: `);
  try {
    const answer = await reader.question('', { signal: aborter.signal });
    process.stdout.write('\n');
    return answer.trim() === 'yes';
  } catch {
    process.stdout.write('\n');
    return false;
  } finally {
    forget();
    reader.close();
    process.stdin.pause();
  }
}
