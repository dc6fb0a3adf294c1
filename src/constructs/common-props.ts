import type { TerraformProvider } from 'cdktf';

/** The props of every construct that creates cloud resources. */
export interface CommonProps {
  /** @default - the provider without an alias */
  readonly provider?: TerraformProvider;
  /** The cloud project that the resources belong to. @default - the account's default project */
  readonly projectName?: string;
  /** @default - none */
  readonly tags?: Readonly<Record<string, string>>;
}

/** The project that the cloud fills in where none is given. */
const DEFAULT_PROJECT = 'default';

/**
 * The project, always written out: one that was left out and is given later, or the other way round,
 * would be an update that the cloud refuses in place of a replacement.
 */
export function projectOf({ projectName }: CommonProps): string {
  return projectName ?? DEFAULT_PROJECT;
}

/** Tags in the cloud's form, in the order of their keys. */
export function cloudTags(tags: Readonly<Record<string, string>> | undefined) {
  const pairs = Object.entries(tags ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return pairs.length === 0 ? undefined : pairs.map(([key, value]) => ({ key, value }));
}

/** The common properties alone, to hand them on. */
export function commonOf({ provider, projectName, tags }: CommonProps): CommonProps {
  return {
    ...(provider && { provider }),
    ...(projectName !== undefined && { projectName }),
    ...(tags && { tags }),
  };
}
