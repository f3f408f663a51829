/**
 * One request and a careful person's reading of it, written down before any extractor saw it.
 * Conventions: a file is a deliverable if the work has to create or rewrite it, not if it is read,
 * imported, tested or forbidden; a framework alone requires its entry file; required content is the
 * framework's import, each route up to its first parameter, and each class by its name. For a
 * request that is not a creation task the extractor is only compared on that fact.
 */
export interface RequestRow {
  readonly ask: string;
  readonly active?: boolean;
  readonly files?: readonly string[];
  readonly framework?: string | null;
  readonly hard?: readonly string[];
}
