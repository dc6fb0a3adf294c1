// Compares two synthesized trees, and decides whether a change needs approval.

export { readTree, type SynthesizedTree } from '../reach/read/read-tree.js';
export { type ReviewPlan, readPlan } from './plan/review-plan.js';
export { REVIEW_SCHEMA, type ReviewReport, reviewReportSchema } from './report-schema.js';
export { junitReport } from './reports/junit.js';
export { markdownReport } from './reports/markdown.js';
export { sarifReport } from './reports/sarif.js';
export { textReport } from './reports/text.js';
export { exitOf, type ReviewOptions, review } from './review.js';
