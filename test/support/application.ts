import { createPrivateKey, createPublicKey } from 'node:crypto';
import { inject } from 'vitest';

/** The OAuth application that the tests sign for. */
export const APPLICATION = {
  enterpriseId: 'volcano_enterprise/1',
  appId: 'app-1',
  keyId: 'fingerprint-1',
} as const;

export const API_HOST = 'api.service.example';
export const ENDPOINT_HOST = 'ep-1.epsvc-1.cn-beijing.privatelink.volces.com';

export const PKCS8 = inject('applicationKey');
export const PKCS1 = createPrivateKey(PKCS8).export({ type: 'pkcs1', format: 'pem' }).toString();
export const PUBLIC_KEY = createPublicKey(PKCS8);
