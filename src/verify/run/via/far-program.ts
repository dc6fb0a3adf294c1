import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../../package/package-folder.js';
import { HELLO } from './messages.js';

/** Says which Node.js it is, takes the program from the first line of standard input, and starts it. */
const START = `import{createInterface}from'node:readline';
process.stdout.write('\\n${HELLO} '+process.version+'\\n');
const lines=createInterface({input:process.stdin})[Symbol.asyncIterator](),{value}=await lines.next();
await(await import('data:text/javascript;base64,'+value)).default(lines)`;

/**
 * What is run at the place. A shell there, as ssh has one, reads the words anew: no character of them
 * means anything to it.
 */
export const FAR_NODE: readonly string[] = [
  'node',
  '--import',
  `data:text/javascript,${percentEncoded(START)}`,
  '-e',
  '0',
];

/** The check in one file, as the first line for {@link FAR_NODE}. */
export async function farProgram(): Promise<string> {
  return await readFile(join(packageFolder(), 'dist', 'check.mjs'), 'base64');
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*~]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
