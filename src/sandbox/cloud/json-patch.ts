import { type Operation, applyPatch as patchInPlace } from 'rfc6902';
import { isObject, type JsonObject } from '../json.js';
import { CloudError } from './cloud-error.js';

/**
 * Applies a JSON Patch (RFC 6902) to a document's members and answers a new document.
 *
 * @throws CloudError `InvalidPatchDocument`; then no operation has had an effect
 */
export function applyPatch(document: JsonObject, patch: unknown): JsonObject {
  if (!Array.isArray(patch) || !patch.every(isObject)) {
    throw invalid('must be an array of operations');
  }
  const patched = structuredClone(document);
  // An operation that fails does not end the others, but nobody sees what they do.
  const failure = failures(patched, patch).find((error) => error !== null);
  if (failure !== undefined) throw invalid(`cannot be applied: ${failure.message}`);
  return patched;
}

function failures(document: JsonObject, patch: JsonObject[]): (Error | null)[] {
  try {
    // The library checks each operation itself.
    return patchInPlace(document, patch as unknown as Operation[]);
  } catch (error) {
    return [error as Error];
  }
}

function invalid(rule: string): CloudError {
  return new CloudError('InvalidPatchDocument', `\`PatchDocument\` ${rule}`);
}
