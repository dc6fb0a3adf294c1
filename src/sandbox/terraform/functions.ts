/** Functions of Terraform and OpenTofu whose result follows from their arguments, and words that can stand before a bracket. */
export const PURE_FUNCTIONS: ReadonlySet<string> = new Set(
  `abs ceil floor log max min parseint pow signum
  chomp endswith format formatlist indent join lower regex regexall replace split startswith strcontains
  strrev substr title trim trimprefix trimspace trimsuffix upper
  alltrue anytrue chunklist coalesce coalescelist compact concat contains distinct element flatten index
  keys length list lookup map matchkeys merge one range reverse setintersection setproduct setsubtract
  setunion slice sort sum transpose values zipmap
  base64decode base64encode base64gunzip base64gzip csvdecode jsondecode jsonencode textdecodebase64
  textencodebase64 urldecode urlencode yamldecode yamlencode
  formatdate plantimestamp timeadd timecmp timestamp
  base64sha256 base64sha512 md5 sha1 sha256 sha512 uuid uuidv5
  cidrcontains cidrhost cidrnetmask cidrsubnet cidrsubnets
  can ephemeralasnull issensitive nonsensitive sensitive tobool tolist tomap tonumber toset tostring try type
  basename dirname
  any object optional set tuple
  if in`.split(/\s+/),
);

/** Functions that read the file that their first argument names. */
export const FILE_FUNCTIONS: ReadonlySet<string> = new Set(
  `file filebase64 filebase64sha256 filebase64sha512 fileexists filemd5 filesha1 filesha256 filesha512
  templatefile`.split(/\s+/),
);
