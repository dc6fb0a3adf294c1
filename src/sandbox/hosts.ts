/** The service's public API host. */
export const API_HOST = 'api.sandbox.example';

/** The host of the service's fixed-IP API. */
export const STATIC_API_HOST = 'static-api.sandbox.example';
