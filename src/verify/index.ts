/**
 * The check of links after a deploy, and why one fails. `run/` takes each link through `stages/`, which
 * judge what `transport/` has dialled, secured and called; of a link that fails, `probes/` change one
 * thing at a time and `diagnosis/` ranks the causes. `model/` has options, findings and the report,
 * `reports/` its formats; `far/` is the check as it runs at another vantage point.
 */

export type { RunVia, VantagePoint } from '../link/vantage-point.js';
export type { TextOptions } from '../report/text.js';
export type {
  Credentials,
  RunOptions,
  SettingSource,
  VerifiableLink,
  VerifyOptions,
} from './model/options.js';
export {
  type BackendRecord,
  backendRecordSchema,
  type ClosedRecord,
  type ClosedResult,
  type ConnectionRecord,
  closedRecordSchema,
  connectionRecordSchema,
  type LinkRecord,
  linkRecordSchema,
} from './model/results.js';
export { exitOf } from './model/verdict.js';
export type { Progress } from './model/verification.js';
export {
  BACKEND_RECORD_SCHEMA,
  type BackendResult,
  type Cause,
  CLOSED_RECORD_SCHEMA,
  CONNECTION_RECORD_SCHEMA,
  type ConnectionResult,
  type Evidence,
  type Finding,
  LINK_RECORD_SCHEMA,
  type LinkResult,
  type ProbeName,
  type ProbeResult,
  STAGE_NAMES,
  type StageName,
  VERDICTS,
  VERIFICATION_SCHEMA,
  type Verdict,
  type Verification,
  verificationSchema,
} from './model/verification.js';
export {
  backendRecord,
  closedRecord,
  connectionRecord,
  jsonLinesReport,
  jsonReport,
  linkRecord,
} from './reports/json.js';
export { prometheusReport } from './reports/prometheus.js';
export { readVerification } from './reports/read-verification.js';
export { textReport } from './reports/text-report.js';
export {
  githubReport,
  htmlReport,
  junitReport,
  markdownReport,
} from './reports/written.js';
export { parseShard, type Shard } from './run/many/shard.js';
export { readTargets, type Target, type TargetsOptions, targetSchema } from './run/many/targets.js';
export { type ManyOptions, Tally, verifyMany } from './run/many/verify-many.js';
export { verify } from './run/verify.js';
