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

export function invalid(
  property: string,
  rule: string,
  got: string,
  code = `Invalid${property}`,
): CloudError {
  return new CloudError(code, `\`${property}\` ${rule}, got: "${got}"`);
}

export function missing(property: string): CloudError {
  return new CloudError('MissingProperty', `\`${property}\` is required`);
}

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

export function danglingReference(property: string, identifier: string): CloudError {
  return invalid(property, 'names nothing that exists', identifier, `Invalid${property}.NotFound`);
}

/** Returns what a parser makes of a text. @param refuse makes the error of the rule that the text breaks */
export function parseOr<T>(
  parse: (text: string) => T,
  text: string,
  refuse: (rule: string) => CloudError,
): T {
  try {
    return parse(text);
  } catch (error) {
    throw refuse((error as Error).message);
  }
}
