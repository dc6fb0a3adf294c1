/**
 * A Terraform CLI configuration that asks no registry: it knows one mirror, or no provider at all but
 * those to which Terraform is attached.
 */
export function cliConfiguration(mirror?: string): string {
  return `disable_checkpoint = true

provider_installation {${mirror === undefined ? '' : filesystemMirror(mirror)}}
`;
}

function filesystemMirror(folder: string): string {
  return `
  filesystem_mirror {
    path = ${hclString(folder)}
  }
`;
}

function hclString(text: string): string {
  return JSON.stringify(text).replaceAll('${', '$${').replaceAll('%{', '%%{');
}
