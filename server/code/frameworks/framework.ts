/**
 * Families of languages that import the same frameworks: TypeScript imports what JavaScript does,
 * Kotlin what Java does.
 */
export type FrameworkLanguage = 'python' | 'javascript' | 'go' | 'rust' | 'java' | 'ruby';

/**
 * What frameworks of one role take each other's place: two of them in one work exclude each other
 * (QEL-16).
 */
export type FrameworkRole = 'server' | 'view' | 'test' | 'store';

/**
 * One framework of QEL-8 as data. Every pattern is linear: what it repeats is bounded, or cannot
 * begin at two places of a run.
 */
export interface FrameworkEntry {
  /** As the specification writes it, and as a contract names it. */
  readonly name: string;
  /**
   * Other spellings in requests, lower case; a blank stands for blanks, a hyphen or nothing. The
   * name is one without being listed.
   */
  readonly aliases: readonly string[];
  readonly language: FrameworkLanguage;
  readonly role: FrameworkRole;
  /** File owed where a request names the framework and no file (QEL-7). */
  readonly entry: string;
  /** The same where the request asks for TypeScript. */
  readonly typedEntry?: string;
  /** Extensions of files that it is written in. */
  readonly extensions: readonly string[];
  /**
   * Text that every import of it holds, for the contract (QEL-10); null where work may do without
   * an import.
   */
  readonly importText: string | null;
  /** Forms of code, comments stripped, that no other framework has. */
  readonly imports: readonly RegExp[];
  /**
   * Paths of files that only it has, or content that goes without import: they show it where it is
   * asked for, never as a rival.
   */
  readonly signs?: { readonly path?: RegExp; readonly code?: RegExp };
  /** Of its own role, but no rival: Next.js is written in React. */
  readonly goesWith?: readonly string[];
  /**
   * How a path asked for is in its code: as written, without its first slash, or nowhere since
   * files are its routes.
   */
  readonly routes: 'literal' | 'slashless' | 'files';
  /** For a name that is an English word as well (QEL-9). */
  readonly guard?: WordGuard;
}

/** Words next to a name: `before` ends where the name begins, `after` begins where it ends. */
export interface Surroundings {
  readonly before?: RegExp;
  readonly after?: RegExp;
}

/**
 * A name that is a word, too, counts with its capital inside a sentence, next to a neighbour such
 * as "app", or where the language that it belongs to is named.
 */
export interface WordGuard {
  /** Next to these it is another thing, whatever its case: a rocket launch, American Express. */
  readonly other: Surroundings;
  /**
   * Next to these it is a word, unless a capital inside the sentence says otherwise: to react to,
   * an echo server.
   */
  readonly word: Surroundings;
  /** The language that makes the name likely where capital and neighbour are missing. */
  readonly hint: RegExp;
}

export interface Framework extends FrameworkEntry {
  /** Names of those that exclude it (QEL-16). */
  readonly rivals: readonly string[];
}
