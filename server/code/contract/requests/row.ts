/**
 * One request and what a careful person reads in it, written down before any extractor saw it.
 * Conventions of the reading: a file is owed when the work has to make or rewrite it, not when it
 * is read, imported, tested or forbidden; a framework alone owes its entry file; must hold: the
 * framework's import, each route up to its first parameter, each class by its name. Of a request
 * that is no creation task only that is held against the extractor, since nothing is owed.
 */
export interface RequestRow {
  readonly ask: string;
  readonly active?: boolean;
  readonly files?: readonly string[];
  readonly framework?: string | null;
  readonly hard?: readonly string[];
}
