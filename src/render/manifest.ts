import type { AccessModel } from '../access/access-model.js';
import { slug } from './slug.js';

const PREFIX = 'secure-connectivity';
const STACK = `${PREFIX}/stack`;
const SUBJECT = `${PREFIX}/subject`;
const DIGEST = `${PREFIX}/access-digest`;

/** Metadata of a policy; annotations keep what names cannot. */
export function manifestMetadata({ stack, digest }: AccessModel, subject: string) {
  return {
    name: `${slug(stack)}.${slug(subject)}`,
    annotations: { [STACK]: stack, [SUBJECT]: subject, [DIGEST]: digest },
  };
}

/** The label that pods carry to come under the policy of a subject. */
export function podLabels(subject: string): Record<string, string> {
  return { [SUBJECT]: slug(subject) };
}

/** Stack and subject of a policy that {@link manifestMetadata} named. */
export function readMetadata(annotations: Readonly<Record<string, string>>) {
  return { stack: annotations[STACK] ?? '', subject: annotations[SUBJECT] ?? '' };
}

/** The annotation that tells of a rendering but decides nothing. */
export const DIGEST_ANNOTATION = DIGEST;
