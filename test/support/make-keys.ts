import { generateKeyPairSync } from 'node:crypto';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Private keys (RSA, PKCS#8 PEM): of the application, and one that nobody knows. */
    readonly applicationKey: string;
    readonly foreignKey: string;
  }
}

/** One run of the tests needs two keys, and not two a file: each takes a fifth of a second to make. */
export default function setup({ provide }: TestProject): void {
  provide('applicationKey', newKey());
  provide('foreignKey', newKey());
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
