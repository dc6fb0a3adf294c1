// Compares two synthesized trees, and decides whether a change needs approval.

export { readTree, type SynthesizedTree } from '../reach/read/read-tree.js';
export type { ReviewPlan } from './plan/planned-work.js';
export { readPlan } from './plan/review-plan.js';
export { REVIEW_SCHEMA, type ReviewReport, reviewReportSchema } from './report-schema.js';
export { junitReport, markdownReport, sarifReport, textReport } from './reports/document.js';
export { exitOf, type ReviewOptions, review } from './review.js';
