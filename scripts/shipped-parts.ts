/** The part of a CycloneDX bill of materials that npm writes and this reads. */
export interface Bom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
}

/** The packages whose code is in a bundle, as `name@version`, by the headings of their licences. */
export function bundledPackages(licences: string): Set<string> {
  const headings = licences.matchAll(/^={72}\n(\S+) (\S+) \(/gm);
  return new Set([...headings].map(([, name, version]) => `${name}@${version}`));
}

/**
 * Selects the part of a bill of materials that users get: what npm installs with the package, and what is bundled into
 * it. npm knows nothing of the bundles, whose packages are there to build only.
 */
export function shippedParts(
  all: Bom,
  installed: readonly string[],
  bundled: ReadonlySet<string>,
): Bom {
  const components = all.components.filter(
    ({ name, version }) => installed.includes(name) || bundled.has(`${name}@${version}`),
  );
  const kept = new Set(components.map((one) => one['bom-ref']));
  const below = (ref: string) =>
    (all.dependencies.find((one) => one.ref === ref)?.dependsOn ?? []).filter((one) =>
      kept.has(one),
    );
  return {
    ...all,
    components,
    dependencies: [
      { ref: all.metadata.component['bom-ref'], dependsOn: [...kept] },
      ...[...kept].map((ref) => ({ ref, dependsOn: below(ref) })),
    ],
  };
}
