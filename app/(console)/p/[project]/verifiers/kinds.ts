import { kindViews } from '@/server/verifiers/view';

/** The text for each verifier's kind. */
interface KindWords {
  readonly label: string;
  readonly judges: string;
  /** How scores become a verdict. */
  readonly rule: string;
}

/**
 * A verifier that the project defined, and a kind of another release, keep their slug; `ruleOf` has
 * the rule of the project's own.
 */
export const wordsOf = (slug: string): KindWords =>
  kindViews.get(slug) ?? { label: slug, judges: 'The input of its verify route.', rule: '' };

/** How scores become a verdict, by kind. */
export const ruleOf = (kind: string): string => kindViews.get(kind)?.rule ?? '';

/** The label of a kind. */
export const kindLabel = (kind: string): string => kindViews.get(kind)?.label ?? kind;
