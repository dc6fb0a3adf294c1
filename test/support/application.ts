import { generateKeyPairSync } from 'node:crypto';

/** The OAuth application that the tests sign for. */
export const APPLICATION = {
  enterpriseId: 'volcano_enterprise/1',
  appId: 'app-1',
  keyId: 'fingerprint-1',
} as const;

export const API_HOST = 'api.service.example';
export const ENDPOINT_HOST = 'ep-1.epsvc-1.cn-beijing.privatelink.volces.com';

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });

export const PUBLIC_KEY = pair.publicKey;
export const PKCS8 = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
export const PKCS1 = pair.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
