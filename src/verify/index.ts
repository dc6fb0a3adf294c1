export type {
  ChatOptions,
  Credentials,
  Progress,
  SettingSource,
  VerifiableLink,
  VerifyOptions,
} from './options.js';
export { type TextStyle, textReport } from './reports/text.js';
export { exitOf } from './verdict.js';
export {
  type Cause,
  type Change,
  type Evidence,
  type Finding,
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
} from './verification.js';
export { verify } from './verify.js';
