import { isAbsolute, resolve } from 'node:path';
import * as z from 'zod/mini';
import { ConnectivityError } from '../../../codes/connectivity-error.js';
import { issueText } from '../../../codes/issue-text.js';
import { refuseSecrets } from '../../../codes/secrets.js';
import { linkSchema } from '../../../link/link.js';
import type { Credentials, VerifiableLink } from '../../model/options.js';

/** A link with its own credentials, if any; the rest comes from the run. */
export interface Target {
  readonly link: VerifiableLink;
  readonly credentials: Credentials;
}

const text = z.optional(z.string().check(z.minLength(1)));

/**
 * One line of a targets file: a link, whose name and expectations may be left out, and credentials.
 */
export const targetSchema = z.strictObject({
  ...linkSchema.shape,
  name: text,
  expectedAddresses: z._default(linkSchema.shape.expectedAddresses, []),
  expectedNetworks: z._default(linkSchema.shape.expectedNetworks, []),
  accessDigest: text,
  enterpriseId: text,
  appId: text,
  keyId: text,
  /** Relative to the folder of the file of targets. */
  privateKeyFile: text,
  durationSeconds: z.optional(z.number()),
  sessionName: text,
  deviceId: text,
  customConsumer: text,
});

export interface TargetOptions {
  /** What relative paths are relative to. */
  readonly folder: string;
  /** Whether base URLs with http are allowed. */
  readonly allowPlainHttp: boolean;
}

/**
 * Reads a line of JSON.
 *
 * @param source named in errors: a file and a line
 * @throws ConnectivityError `link.invalid`
 */
export function parseTarget(line: string, source: string, options: TargetOptions): Target {
  const result = targetSchema.safeParse(parseJson(line, source), { reportInput: true });
  if (!result.success) {
    throw invalid(
      `${source} is no target: ${result.error.issues.map((issue) => issueText(issue)).join('; ')}`,
    );
  }
  refuseSecrets(result.data, (field) => `${source}: ${field}`);
  const { enterpriseId, appId, keyId, privateKeyFile, ...others } = result.data;
  const { durationSeconds, sessionName, deviceId, customConsumer, ...rest } = others;
  const { host, protocol } = new URL(rest.baseUrl);
  if (protocol === 'http:' && !options.allowPlainHttp) {
    throw invalid(
      `${source}: \`baseUrl\` with http needs \`--allow-plain-http\`, got: "${rest.baseUrl}"; JWT and token would travel unencrypted`,
    );
  }
  return {
    link: { ...rest, name: rest.name ?? host },
    credentials: known({
      enterpriseId,
      appId,
      keyId,
      privateKeyFile: privateKeyFile && located(privateKeyFile, options.folder),
      durationSeconds,
      sessionName,
      deviceId,
      customConsumer,
    }),
  };
}

function located(file: string, folder: string): string {
  return isAbsolute(file) ? file : resolve(folder, file);
}

/** What is undefined must not hide what the run gives. */
function known(credentials: Credentials): Credentials {
  return Object.fromEntries(Object.entries(credentials).filter(([, value]) => value !== undefined));
}

function parseJson(line: string, source: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw invalid(`${source} must be one JSON object on one line, got: text that is not JSON`);
  }
}

function invalid(message: string): ConnectivityError {
  return new ConnectivityError('link.invalid', message);
}
