import { createHash } from 'node:crypto';
import { factsOf, isCode } from '../codes/codes.js';
import { withoutObeyed } from '../files/escape.js';
import { jsonParts } from '../files/text-parts.js';
import { packageVersion } from '../package/package-folder.js';
import type { Result, Results, RuleFacts } from './document.js';

/**
 * SARIF 2.1.0 in parts, as code scanning reads it: a rule for each code, and for each kind of result without one,
 * and one result at a time.
 */
export function* sarifParts(all: Results): Generator<string> {
  const ids = [...new Set(all.results.map((result) => findRuleId(result, all)))].sort();
  const log = {
    $schema:
      'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: all.command,
            version: packageVersion(),
            rules: ids.map((id) => describeRule(id, all)),
          },
        },
        originalUriBaseIds: Object.fromEntries(
          Object.entries(all.roots).map(([root, text]) => [root, { description: { text } }]),
        ),
        columnKind: 'utf16CodeUnits',
        results: resultsOf(all, ids),
        properties: all.properties,
      },
    ],
  };
  const shown = (_: string, value: unknown) =>
    typeof value === 'string' ? withoutObeyed(value) : value;
  yield* jsonParts(log, shown);
}

function resultsOf(all: Results, ids: readonly string[]): Iterable<object> {
  return {
    *[Symbol.iterator]() {
      for (const result of all.results) yield toResult(result, findRuleId(result, all), ids);
    },
  };
}

/** `policy.too-open`, or `review.access` where a result has no code. */
function findRuleId({ kind, code }: Result, { command }: Pick<Results, 'command'>): string {
  return code ?? `${command.split(' ').at(-1)}.${kind}`;
}

function describeRule(id: string, { describeKind }: Results) {
  const { title, cause, remedy }: RuleFacts = isCode(id)
    ? factsOf(id)
    : describeKind(id.slice(id.indexOf('.') + 1));
  return {
    id,
    shortDescription: { text: toMessage(title) },
    fullDescription: { text: toMessage(cause === '' ? title : cause) },
    help: { text: toMessage(remedy) },
  };
}

function toResult(result: Result, ruleId: string, ids: readonly string[]) {
  const { stack, resource, level, place, properties } = result;
  return {
    ruleId,
    ruleIndex: ids.indexOf(ruleId),
    // A level other than `none` belongs to what has to be looked at, whose kind is `fail`.
    kind: level === 'none' ? 'informational' : 'fail',
    level,
    message: { text: toMessage(result.text()) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(place.path), uriBaseId: place.root },
          region: { startLine: place.line },
        },
        logicalLocations: [
          { name: resource, fullyQualifiedName: `${stack}/${resource}`, kind: 'resource' },
        ],
      },
    ],
    partialFingerprints: { 'finding/v2': fingerprint(ruleId, result) },
    properties,
  };
}

function toUri(path: readonly string[]): string {
  return path.map((part) => encodeURIComponent(withoutObeyed(part))).join('/');
}

/** A message in which nothing is a placeholder or a link (SARIF 2.1.0, 3.11.5 and 3.11.6). */
function toMessage(text: string): string {
  return text.replaceAll(/[[\]\\]/g, '\\$&').replaceAll(/[{}]/g, '$&$&');
}

/** The same result of a later run is the same alert, whatever it is called there. */
function fingerprint(ruleId: string, { stack, resource, identity }: Result): string {
  const alert = JSON.stringify([ruleId, stack, resource, ...identity]);
  return createHash('sha256').update(alert).digest('hex');
}
