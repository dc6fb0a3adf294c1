/** A refusal by the cloud, in its own words. */
export class CloudError extends Error {
  override readonly name = 'CloudError';

  constructor(
    readonly code: string,
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

/** Something else still uses the resource. */
export function dependencyViolation(what: string, users: readonly string[]): CloudError {
  return new CloudError('DependencyViolation', `${what} is still used by ${users.join(', ')}`, 409);
}

// The provider recognises a missing resource by the words `HandlerErrorCode: NotFound`.
export function notFound(typeName: string, identifier: string): CloudError {
  return new CloudError(
    'NotFound',
    `${typeName} ${identifier} does not exist (HandlerErrorCode: NotFound)`,
    404,
  );
}

/** A property refers to something that does not exist. */
export function danglingReference(property: string, identifier: string): CloudError {
  return new CloudError(
    `Invalid${property}.NotFound`,
    `\`${property}\` names nothing that exists, got: "${identifier}"`,
  );
}
