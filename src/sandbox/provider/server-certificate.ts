/**
 * Makes the certificate that the stand-in providers show to Terraform, and its key, as PEM: for
 * `localhost`, the name that Terraform asks for, valid for ten years.
 */
export async function makeServerCertificate(): Promise<{ cert: string; key: string }> {
  // Loaded only now: the certificate library takes 100 ms.
  const { selfSigned } = await import('./self-signed.js');
  return selfSigned('localhost');
}
