import { createHash } from 'node:crypto';
import { factsOf, isCode } from '../../codes/codes.js';
import { withoutObeyed } from '../../files/escape.js';
import { jsonParts } from '../../files/text-parts.js';
import { packageVersion } from '../../package/package-folder.js';
import { explainFinding } from '../decision/summary.js';
import type { Decision, Finding, FindingKind, ReviewReport } from '../report-schema.js';

/** SARIF 2.1.0, as code scanning reads it: a rule for each kind of finding and each code. */
export function sarifReport(report: ReviewReport): string {
  return [...sarifParts(report)].join('');
}

/** The same in parts, with one result at a time. */
export function* sarifParts(report: ReviewReport): Generator<string> {
  const { decision, summary, findings } = report;
  const ids = [...new Set(findings.map(findRuleId))].sort();
  const log = {
    $schema:
      'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'secure-connectivity review',
            version: packageVersion(),
            rules: ids.map(describeRule),
          },
        },
        originalUriBaseIds: { HEAD: { description: { text: 'The folder given as --head.' } } },
        columnKind: 'utf16CodeUnits',
        results: resultsOf(findings, ids),
        properties: { decision, summary },
      },
    ],
  };
  const shown = (_: string, value: unknown) =>
    typeof value === 'string' ? withoutObeyed(value) : value;
  yield* jsonParts(log, shown);
}

function resultsOf(findings: readonly Finding[], ids: readonly string[]): Iterable<object> {
  return {
    *[Symbol.iterator]() {
      for (const finding of findings) yield toResult(finding, ids);
    },
  };
}

/** `policy.any-address`, or `review.access` where a finding has no code. */
function findRuleId({ kind, code }: Finding): string {
  return code ?? `review.${kind}`;
}

function describeRule(id: string) {
  const { title, cause, remedy } = isCode(id)
    ? factsOf(id)
    : { title: KINDS[id.replace(/^review\./, '') as FindingKind], cause: '', remedy: REMEDY };
  return {
    id,
    shortDescription: { text: toMessage(title) },
    fullDescription: { text: toMessage(cause === '' ? title : cause) },
    help: { text: toMessage(remedy) },
  };
}

const REMEDY = 'Approve the change only if it is intended.';

const KINDS: Readonly<Record<FindingKind, string>> = {
  access: 'Access that the change opens or closes',
  destination: 'Traffic goes elsewhere',
  safeguard: 'A safeguard of access or availability changes',
  disruption: 'A resource is removed, replaced or changed so that clients notice',
  control: 'Something else controls the deploy',
  unread: 'A change that the review cannot read',
  policy: 'Against the policy',
  drift: 'The cloud differs from the last deploy',
  disagreement: 'Terraform and access.json differ',
};

/** A level other than `none` belongs to what has to be looked at, whose kind is `fail`. */
const LEVELS: Readonly<Record<Decision, object>> = {
  forbidden: { kind: 'fail', level: 'error' },
  'needs-approval': { kind: 'fail', level: 'warning' },
  narrower: { kind: 'fail', level: 'note' },
  'no-change': { kind: 'informational', level: 'none' },
};

function toResult(finding: Finding, ids: readonly string[]) {
  const { decision, stack, resource } = finding;
  const ruleId = findRuleId(finding);
  return {
    ruleId,
    ruleIndex: ids.indexOf(ruleId),
    ...LEVELS[decision],
    message: { text: toMessage(explainFinding(finding)) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: findUri(finding), uriBaseId: 'HEAD' },
          // GitHub shows no result without a line.
          region: { startLine: 1 },
        },
        logicalLocations: [
          { name: resource, fullyQualifiedName: `${stack}/${resource}`, kind: 'resource' },
        ],
      },
    ],
    partialFingerprints: { 'finding/v2': fingerprint(ruleId, finding) },
    properties: finding,
  };
}

/** The file that Terraform reads the resource from. */
function findUri({ stack, resource }: Finding): string {
  const isFile = resource === 'access.json' || /\.tf(?:\.json)?$/.test(resource);
  const path = ['stacks', stack, ...(isFile ? resource.split('/') : ['cdk.tf.json'])];
  return path.map((part) => encodeURIComponent(withoutObeyed(part))).join('/');
}

/** A message in which nothing is a placeholder or a link (SARIF 2.1.0, 3.11.5 and 3.11.6). */
function toMessage(text: string): string {
  return text.replaceAll(/[[\]\\]/g, '\\$&').replaceAll(/[{}]/g, '$&$&');
}

/** The same finding of a later run is the same alert, whatever it is called there. */
function fingerprint(ruleId: string, { stack, resource, identity }: Finding): string {
  const alert = JSON.stringify([ruleId, stack, resource, ...identity]);
  return createHash('sha256').update(alert).digest('hex');
}
