import { X509Certificate } from 'node:crypto';

/** What Terraform tells a plugin in its environment so that it is not started by hand. */
const COOKIE = {
  name: 'TF_PLUGIN_MAGIC_COOKIE',
  value: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
} as const;

const CORE_PROTOCOL = 1;
const PLUGIN_PROTOCOL = 6;

/** Whether Terraform started this process. */
export function isStartedByTerraform(environment: NodeJS.ProcessEnv): boolean {
  return environment[COOKIE.name] === COOKIE.value;
}

/** Where the plugin listens. */
export type Listener =
  | { readonly network: 'unix'; readonly address: string }
  | { readonly network: 'tcp'; readonly address: string };

/** The one line on stdout by which Terraform finds the plugin and knows its certificate. */
export function handshakeLine(listener: Listener, certificatePem: string): string {
  const certificate = new X509Certificate(certificatePem).raw.toString('base64').replace(/=+$/, '');
  const { network, address } = listener;
  return [CORE_PROTOCOL, PLUGIN_PROTOCOL, network, address, 'grpc', certificate].join('|');
}
