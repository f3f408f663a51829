/**
 * Families of languages that import the same frameworks: TypeScript imports those of JavaScript,
 * Kotlin those of Java.
 */
export type FrameworkLanguage = 'python' | 'javascript' | 'go' | 'rust' | 'java' | 'ruby';

/**
 * The role in which frameworks replace each other: two of one role in one work exclude each other
 * (QEL-16).
 */
export type FrameworkRole = 'server' | 'view' | 'test' | 'store';

/**
 * One framework of QEL-8 as data. Every pattern is linear: its repetitions are bounded, or cannot
 * begin at two positions of a run.
 */
export interface FrameworkEntry {
  /** As in the specification and in a contract. */
  readonly name: string;
  /**
   * Other spellings in requests, lower case; a blank matches blanks, a hyphen or nothing. The name
   * itself need not be listed.
   */
  readonly aliases: readonly string[];
  readonly language: FrameworkLanguage;
  readonly role: FrameworkRole;
  /** The entry file, if the request names the framework and no file (QEL-7). */
  readonly entry: string;
  /** The entry file, if the request requires TypeScript. */
  readonly typedEntry?: string;
  /** Extensions of its files. */
  readonly extensions: readonly string[];
  /**
   * Text that every import of it contains, for the contract (QEL-10); null if the work may do
   * without an import.
   */
  readonly importText: string | null;
  /** Patterns of code, without comments, that no other framework matches. */
  readonly imports: readonly RegExp[];
  /**
   * Paths of files that only it has, or content without an import: they prove its use if it was
   * requested, but never its use as a rival.
   */
  readonly signs?: { readonly path?: RegExp; readonly code?: RegExp };
  /** Of the same role, but not a rival: Next.js is written in React. */
  readonly goesWith?: readonly string[];
  /**
   * The form of a requested path in its code: as written, without its first slash, or absent, since
   * the framework derives routes from files.
   */
  readonly routes: 'literal' | 'slashless' | 'files';
  /** For a name that is also an English word (QEL-9). */
  readonly guard?: WordGuard;
}

/** Words next to a name: `before` ends where the name begins, `after` begins where it ends. */
export interface NearbyWords {
  readonly before?: RegExp;
  readonly after?: RegExp;
}

/**
 * A name that is also a word counts with a capital inside a sentence, next to a neighbour such as
 * "app", or if its language is named.
 */
export interface WordGuard {
  /** Next to these it means something else in any case: a rocket launch, American Express. */
  readonly other: NearbyWords;
  /**
   * Next to these it is a word, unless it has a capital inside the sentence: to react to, an echo
   * server.
   */
  readonly word: NearbyWords;
  /** The language that makes the name likely without a capital or a neighbour. */
  readonly hint: RegExp;
}

export interface Framework extends FrameworkEntry {
  /** Names of the frameworks that exclude it (QEL-16). */
  readonly rivals: readonly string[];
}
