import { build } from 'esbuild';
import { slimUndici } from './slim-undici.js'; import { ownZodMini } from './own-zod-mini.js';
for (const f of ['verify.ts','review.ts','token.ts','render.ts','diagram.ts','addresses.ts','import-blocks.ts','explain.ts','report.ts','sandbox-call-plugin.ts','sandbox-state.ts','run.ts']) {
 const r = await build({ entryPoints: ['src/cli/' + f], outdir: '/tmp/x', write: false, bundle: true, splitting: true, minify: true, format: 'esm', platform: 'node', metafile: true, plugins: [slimUndici, ownZodMini], logLevel: 'silent' }).catch((e) => { console.log(f, e.message.slice(0, 200)); });
 if (!r) continue;
 const seen = new Set<string>(); const visit = (p: string) => { if (seen.has(p)) return; seen.add(p); for (const i of r.metafile.inputs[p]?.imports ?? []) if (i.kind !== 'dynamic-import' && !i.external) visit(i.path); };
 visit('src/cli/' + f);
 const by = new Map<string, number>(); for (const s of seen) { const k = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(s)?.[1] ?? s.split('/').slice(0, 3).join('/'); by.set(k, (by.get(k) ?? 0) + r.metafile.inputs[s]!.bytes); }
 console.log(f.padEnd(24), [...by].sort((a, b) => b[1] - a[1]).slice(0, 9).map(([k, v]) => `${k}:${(v / 1000).toFixed(0)}`).join(' '));
}
