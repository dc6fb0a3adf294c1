import type {
  ChatOptions,
  Credentials,
  RunOptions,
  VerifiableLink,
} from '../../../verify/model/options.js';

/** Begins the name of each variable that gives a value where no flag does. */
export const VARIABLE_PREFIX = 'SECURE_CONNECTIVITY_';

/** An option of the library, as a path: `dnsServer`, `credentials.appId`. */
export type OptionName =
  | keyof RunOptions
  | `credentials.${keyof Credentials}`
  | `chat.${keyof ChatOptions}`;

export type OptionValue<Name> = Name extends `credentials.${infer Field extends keyof Credentials}`
  ? Credentials[Field]
  : Name extends `chat.${infer Field extends keyof ChatOptions}`
    ? ChatOptions[Field]
    : Name extends keyof RunOptions
      ? RunOptions[Name]
      : never;

/** What follows a flag in a command; true is the flag alone, several values repeat it. */
type Words = string | boolean | readonly string[] | undefined;

/** All that there is to know of a flag of `verify`. */
export interface FlagRow {
  /** As the help shows it. */
  readonly flag: string;
  readonly about: string;
  /** Without {@link VARIABLE_PREFIX}. */
  readonly variable?: string;
  readonly choices?: readonly string[];
  readonly isRepeatable?: true;
  /** @default the text as it is */
  readonly read?: (text: string) => unknown;
  /** The option of the library that it sets. */
  readonly option?: OptionName;
  /** The report then shows the value and where it came from. */
  readonly shownInReport?: true | ((value: never) => string);
  /**
   * How the command that repeats the check of one link gives it.
   *
   * @param typed what the command line gave: variables stay set for whoever repeats the check, and
   * the files that they name may be gone by then
   * @param given what the command line or a variable gave
   */
  readonly repeat: (typed: never, link: VerifiableLink, given: never) => Words;
  /** Without which other flag it has no effect, and is not repeated. */
  readonly needs?: 'auth' | 'deep';
}
