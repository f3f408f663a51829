import { kindViews } from '@/server/verifiers/view';

/** The text for each verifier's kind. */
interface KindWords {
  readonly label: string;
  readonly judges: string;
  /** How scores become a verdict. */
  readonly rule: string;
}

/** A kind of another release keeps its name. */
export const wordsOf = (slug: string): KindWords =>
  kindViews.get(slug) ?? { label: slug, judges: 'The input of its verify route.', rule: '' };
