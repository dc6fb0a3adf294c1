import type { AccessModel } from '../access/access-model.js';

/** Comment lines that say what a file was made from; a parser needs stack and subject of them. */
export function header(target: string, { stack, digest }: AccessModel, subject: string): string[] {
  return [
    `# secure-connectivity render ${target}: made from access rules, do not edit`,
    `# stack: ${stack}`,
    `# subject: ${subject}`,
    `# access digest: ${digest}`,
  ];
}
