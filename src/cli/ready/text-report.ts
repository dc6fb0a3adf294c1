import type { Readiness } from './readiness.js';

/** Readiness for people. */
export function textReport({ environment, points, steps, verdict, deploy }: Readiness): string {
  const widest = Math.max(...points.map(({ name }) => name.length));
  const lines = points.flatMap(({ status, name, text, code, remedy }) => [
    `  ${status.padEnd(7)}  ${name.padEnd(widest)}  ${text}`,
    ...(code === undefined ? [] : [`${' '.repeat(widest + 13)}${code}: ${remedy}`]),
  ]);
  return [
    `readiness of ${environment}`,
    ...lines,
    ...(steps.length === 0 ? [] : ['what a person does', ...steps.map((step) => `  - ${step}`)]),
    verdict,
    ...(deploy.length === 0 ? [] : ['deploy with', ...deploy.map((command) => `  ${command}`)]),
    '',
  ].join('\n');
}
