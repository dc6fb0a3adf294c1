import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CloudProvider } from './cloud-provider.js';
import { reasonOf } from './diagnostic.js';
import { handshakeLine, isStartedByTerraform } from './handshake.js';
import { nullProvider } from './null-provider.js';
import { type Certificates, serve } from './server.js';
import type { StandInProvider } from './stand-in-provider.js';

const PROVIDERS: Readonly<Record<string, () => StandInProvider>> = {
  null: nullProvider,
  volcenginecc: () => new CloudProvider(process.env),
};

async function main(): Promise<void> {
  if (!isStartedByTerraform(process.env)) {
    throw new Error('this is a Terraform provider: Terraform starts it, not a person');
  }
  // An interrupt at the terminal reaches this process too; Terraform ends it in its own order.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => process.exit(143));
  const provider = providerNamed(basename(process.argv[1] ?? ''));
  const certificates = readCertificates(process.env);
  const listener = await serve(provider, certificates);
  process.stdout.write(`${handshakeLine(listener, certificates.cert)}\n`);
}

/** One bundle serves every provider: the file's name says which. */
function providerNamed(file: string): StandInProvider {
  const name = /^terraform-provider-([a-z]+)_v/.exec(file)?.[1] ?? '';
  const provider = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  if (provider === undefined)
    throw new Error(`there is no provider for the file name, got: "${file}"`);
  return provider();
}

function readCertificates(environment: NodeJS.ProcessEnv): Certificates {
  const folder = environment.SECURE_CONNECTIVITY_SANDBOX_PROVIDER;
  const client = environment.PLUGIN_CLIENT_CERT;
  if (!folder) {
    throw new Error('this stand-in provider must be run through `secure-connectivity sandbox`');
  }
  if (!client) throw new Error('Terraform must give its certificate in `PLUGIN_CLIENT_CERT`');
  try {
    const cert = readFileSync(join(folder, 'cert.pem'), 'utf8');
    return { cert, key: readFileSync(join(folder, 'key.pem'), 'utf8'), client };
  } catch (thrown) {
    throw new Error(
      `this stand-in provider must be run through \`secure-connectivity sandbox\`: ${reasonOf(thrown)}`,
    );
  }
}

main().catch((thrown: unknown) => {
  const line = `terraform provider: ${reasonOf(thrown)}\n`;
  process.stderr.write(line);
  // Terraform shows its user what stands on stdout in the handshake's place, and stderr only in its log.
  if (isStartedByTerraform(process.env)) process.stdout.write(line);
  process.exitCode = 1;
});
