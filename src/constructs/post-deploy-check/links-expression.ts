import type { Plugin } from '../../link/link.js';
import { encodeLinks } from '../../link/links.js';
import type { AcceptedLink, MadeLink } from '../linked.js';

/**
 * Links as one line of JSON that Terraform completes: the encoding of the verifier, with
 * expressions where a value is known only after the deploy.
 */
export function linksExpression(
  made: readonly MadeLink[],
  accessDigest: string,
  connections: readonly AcceptedLink[] = [],
  plugins: readonly Plugin[] = [],
): string {
  const expressions = new Map<string, string>();
  const links = made.map((link, index) => {
    const { expectedAddresses } = link;
    if (!('expression' in expectedAddresses)) {
      return { ...link, expectedAddresses: [...expectedAddresses] };
    }
    const placeholder = `__expected_addresses_${index}__`;
    expressions.set(
      JSON.stringify([placeholder]),
      `\${jsonencode(${expectedAddresses.expression})}`,
    );
    return { ...link, expectedAddresses: [placeholder] };
  });
  let text = encodeLinks({
    accessDigest,
    links,
    ...(connections.length > 0 && { connections }),
    ...(plugins.length > 0 && { plugins }),
  });
  for (const [placeholder, expression] of expressions)
    text = text.replace(placeholder, () => expression);
  return text;
}
