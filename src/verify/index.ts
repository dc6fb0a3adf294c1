export type {
  Credentials,
  Progress,
  SettingSource,
  VerifiableLink,
  VerifyOptions,
} from './options.js';
export { type TextStyle, textReport } from './reports/text.js';
export { exitOf } from './verdict.js';
export {
  type Evidence,
  type Finding,
  type LinkResult,
  STAGE_NAMES,
  type StageName,
  VERDICTS,
  VERIFICATION_SCHEMA,
  type Verdict,
  type Verification,
  verificationSchema,
} from './verification.js';
export { verify } from './verify.js';
