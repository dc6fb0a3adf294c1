import * as z from 'zod';
import { STATE_FOLDER } from '../defaults.js';
import { pathInProject } from '../fields.js';

/** Backends that are built into Terraform, and where each reads its credentials instead. */
const CREDENTIALS = {
  s3: {
    access_key: 'AWS_ACCESS_KEY_ID',
    secret_key: 'AWS_SECRET_ACCESS_KEY',
    token: 'AWS_SESSION_TOKEN',
    sse_customer_key: 'AWS_SSE_CUSTOMER_KEY',
    http_proxy: 'HTTP_PROXY',
    https_proxy: 'HTTPS_PROXY',
  },
  http: {
    username: 'TF_HTTP_USERNAME',
    password: 'TF_HTTP_PASSWORD',
    client_certificate_pem: 'TF_HTTP_CLIENT_CERTIFICATE_PEM',
    client_private_key_pem: 'TF_HTTP_CLIENT_PRIVATE_KEY_PEM',
    address: 'TF_HTTP_USERNAME` and `TF_HTTP_PASSWORD',
    lock_address: 'TF_HTTP_USERNAME` and `TF_HTTP_PASSWORD',
    unlock_address: 'TF_HTTP_USERNAME` and `TF_HTTP_PASSWORD',
  },
  pg: { conn_str: 'PG_CONN_STR' },
  consul: {
    access_token: 'CONSUL_HTTP_TOKEN',
    http_auth: 'CONSUL_HTTP_AUTH',
    address: 'CONSUL_HTTP_AUTH',
  },
  kubernetes: {
    username: 'KUBE_USER',
    password: 'KUBE_PASSWORD',
    token: 'KUBE_TOKEN',
    client_certificate: 'KUBE_CLIENT_CERT_DATA',
    client_key: 'KUBE_CLIENT_KEY_DATA',
    host: 'KUBE_HOST',
    proxy_url: 'KUBE_PROXY_URL',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

const REMOTE_BACKENDS = Object.keys(CREDENTIALS) as (keyof typeof CREDENTIALS)[];

/** Fields that hold a place or a certificate, and become a credential by their value only. */
const PLACES =
  /^(address|lock_address|unlock_address|conn_str|host|endpoint|(https?_)?proxy(_url)?|endpoints)$/;

const CREDENTIAL_NAME =
  /passw|secret(?!_suffix$)|token|access_?key|private|client_(key|certificate)|customer_key|^username$|^http_auth$|credential(?!s_(file|validation))/i;

/** A password in a URL, a password among a connection's words, a key. */
const CREDENTIAL_VALUE = /\/\/[^/?#\s]*@|\bpassw(or)?d\s*=|PRIVATE KEY/i;

/** A parameter of a query with a value, named for a credential. */
const CREDENTIAL_PARAMETER = /[?&](?=[^=#?&]*=)[^=#?&]*?(passw|token|secret|key|signature|auth)/i;

/** Tells whether a field of a backend's configuration would put a credential into the synthesized stack. */
function isCredential(name: string, value: unknown): boolean {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return (
    (!PLACES.test(name) && CREDENTIAL_NAME.test(name)) ||
    CREDENTIAL_VALUE.test(text) ||
    CREDENTIAL_PARAMETER.test(text)
  );
}

const local = z.strictObject({
  backend: z.literal('local').describe('files on this machine'),
  folder: pathInProject('must be relative to the project')
    .default(STATE_FOLDER)
    .describe('where the state files are'),
});

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const remote = z
  .strictObject({
    backend: z.enum(REMOTE_BACKENDS).describe('a backend that is built into Terraform'),
    config: z
      .record(z.string(), z.union([scalar, z.record(z.string(), z.string())]))
      .describe(
        "the backend's own configuration, without credentials; the field that is the state's key (`key`, `schema_name`, `path`, `secret_suffix`, `address`, `lock_address`, `unlock_address`) contains `{stack}`, or the stack's name is added to it",
      ),
  })
  .superRefine(({ backend, config }, context) => {
    const variables: Readonly<Record<string, string>> = CREDENTIALS[backend];
    for (const [name, value] of Object.entries(config)) {
      if (!isCredential(name, value)) continue;
      const variable = variables[name];
      const where = variable === undefined ? '' : `, in \`${variable}\``;
      context.addIssue({
        code: 'custom',
        path: ['config', name],
        message: `holds a credential, which the synthesized stack would reveal; pass it through the environment instead${where}`,
      });
    }
    if (backend === 'http' && config.address === undefined) {
      context.addIssue({ code: 'custom', path: ['config', 'address'], message: 'is required' });
    }
  });

export const state = z.union([local, remote], {
  error: `must be { backend: "local", folder } or { backend: ${REMOTE_BACKENDS.map((name) => `"${name}"`).join(' | ')}, config }`,
});
