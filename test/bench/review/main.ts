import { performance } from 'node:perf_hooks';
import { textReport } from '../../../src/review/reports/document.js';
import { review } from '../../../src/review/review.js';
import { manyRules, SHAPES } from './many-rules.js';

const COUNTS = process.argv.slice(2).map(Number);
const TODAY = '2030-06-15';

console.log('| rules | shape | review | text report |');
console.log('| ---: | --- | ---: | ---: |');
for (const count of COUNTS.length > 0 ? COUNTS : [1_000, 3_000, 20_000]) {
  for (const shape of SHAPES) {
    const [base, head] = [manyRules(shape, count, 'base'), manyRules(shape, count, 'head')];
    const start = performance.now();
    const report = review(base, head, TODAY);
    const reviewed = performance.now();
    textReport(report);
    const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
    const times = [seconds(reviewed - start), seconds(performance.now() - reviewed)];
    console.log(`| ${count} | ${shape} | ${times.join(' | ')} |`);
  }
}
