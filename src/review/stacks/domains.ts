import { readConnectivity } from '../read/links.js';
import type { TerraformStackJson } from '../read/terraform-json.js';

/** A base URL that clients call and that changed. */
interface DomainChange {
  readonly stack: string;
  readonly link: string;
  readonly was: string;
  /** Absent where the link is gone. */
  readonly now?: string;
}

export function changedDomains(
  stack: string,
  before: TerraformStackJson,
  after: TerraformStackJson,
): DomainChange[] {
  const links = new Map(readConnectivity(after).map((link) => [link.name, link.baseUrl]));
  return readConnectivity(before).flatMap(({ name, baseUrl }) => {
    const now = links.get(name);
    if (now === baseUrl) return [];
    return [
      {
        stack,
        link: name,
        was: readable(baseUrl),
        ...(now !== undefined && { now: readable(now) }),
      },
    ];
  });
}

/** `https://<endpoint_domain of TYPE.NAME>` in place of Terraform's expression. */
function readable(url: string): string {
  return url.replace(/\$\{([\w.-]+)\.(\w+)\}/g, '<$2 of $1>');
}
