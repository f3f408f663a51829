import type { ProjectCtx } from '../../access';
import type { ReviewSettings } from './item';
import { loadReviewSettings, standardReview, type StoredSettings } from './review-settings';

/** The settings for all verifiers, followed by those of single verifiers. */
export async function listReviewSettings(ctx: ProjectCtx): Promise<ReviewSettings[]> {
  const stored = await loadReviewSettings(ctx);
  const all = stored.find(({ slug }) => slug === '');
  const first: ReviewSettings =
    all === undefined
      ? { ...standardReview, verifier: null, source: 'default', updatedBy: null, updatedAt: null }
      : asReviewSettings(all);
  return [first, ...stored.filter(({ slug }) => slug !== '').map(asReviewSettings)];
}

export function asReviewSettings({ slug, rates: _, ...settings }: StoredSettings): ReviewSettings {
  return {
    ...settings,
    verifier: slug === '' ? null : slug,
    source: slug === '' ? 'project' : 'verifier',
  };
}
