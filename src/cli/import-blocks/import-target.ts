/** A resource to adopt. */
export interface ImportTarget {
  /** The address in Terraform: `volcenginecc_vpc_vpc.network`. */
  readonly address: string;
  /** The id of what exists; parts joined with `|`. */
  readonly id: string;
}

/** Reads `ADDRESS=ID`. An id may hold `=`; an address cannot. */
export function readImportTarget(text: string): ImportTarget {
  const at = text.indexOf('=');
  return at < 0
    ? { address: text, id: '' }
    : { address: text.slice(0, at), id: text.slice(at + 1) };
}
